"""Which layouts LRN by its formula is offered in; test_lrn.py holds its numbers against the reference."""
import pytest

from caffempi.ops.lrn import LrnAttrs
from tests.helpers.enginecheck import call_of


@pytest.mark.parametrize("attrs", [LrnAttrs(5, 1.0, 0.75, 1.0), LrnAttrs(5, 1.0, 0.6, 1.0)])
def test_plain_blocked_and_last_channels_are_offered_where_the_channels_fill_blocks(engine, rand, attrs):
    x = rand(2, 32, 6, 6)
    for op in ("lrn_across", "lrn_within"):
        found = {o.ins[0].tag for o in engine.offers(call_of(op, attrs, [x], train=True))}
        assert {"plain", "acdb"} <= found and found & {"aBcd8b", "aBcd16b"}


@pytest.mark.parametrize(("op", "k", "blocked"), [("lrn_across", 1.0, True), ("lrn_across", 0.0, False), ("lrn_within", 1.0, False)])
def test_blocks_that_are_not_filled_need_a_positive_offset(engine, rand, op, k, blocked):
    tags = [o.ins[0].tag for o in engine.offers(call_of(op, LrnAttrs(5, 1.0, 0.6, k), [rand(1, 20, 5, 5)], train=True))]
    assert "plain" in tags and any("B" in tag for tag in tags) is blocked
