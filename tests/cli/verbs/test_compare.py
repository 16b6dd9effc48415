"""`caffempi compare` from the command line."""
import pytest

from caffempi.engines.choose import engine_names, make_engine
from caffempi.errors import EngineError


def usable(name):
    try:
        make_engine(name)
    except EngineError:
        return False
    return True


@pytest.mark.parametrize("flags, words", [
    ([], "outputs observed: no difference beyond 0.0001"), (["--observe", "all"], "all observed"),
    (["--observe", "ip,conv"], "ip conv observed"), (["--no-pass", "prune"], "all observed"),
    (["--phase", "TEST", "-epsilon", "1e-3"], "no difference beyond 0.001"),
    (["--shape", "data=2,3,9,9", "--shape", "label=2"], "no difference"),
])
def test_the_same_net_in_two_ways(cli, flags, words):
    code, out, _ = cli("compare", "fed.prototxt", *flags)
    assert code == 0 and words in out[-1]
    assert out[0].split() == ["layer", "array", "of", "largest", "relative"]


@pytest.mark.parametrize("other", [name for name in engine_names() if name != "cuda"])
@pytest.mark.parametrize("observe", [[], ["--observe", "outputs"]])
def test_engines_agree(cli, other, observe):
    if not usable(other):
        pytest.skip(f"engine {other} does not work here")
    code, out, _ = cli("compare", "tiny.prototxt", "--engines", f"numpy,{other}", *observe)
    assert code == 0 and out[-1].startswith(f"numpy against {other}, ")


def test_a_difference_is_exit_code_1_and_names_the_layer(cli, monkeypatch):
    from caffempi.ops.op import get_op
    op = get_op("relu")
    right = type(op).forward
    calls = []

    def wrong(self, attrs, ins, outs, *rest):
        right(self, attrs, ins, outs, *rest)
        calls.append(1)
        if len(calls) > 1:
            outs[0][...] += 1
    monkeypatch.setattr(type(op), "forward", wrong)
    code, out, _ = cli("compare", "tiny.prototxt", "--engines", "numpy,numpy")
    assert code == 1 and 'first difference: layer "relu" (ReLU), top "conv"' in out[-1]
    assert any(line.endswith("differs") for line in out)


@pytest.mark.parametrize("flags, code, words", [
    (["--engines", "a,b,c"], 2, "two engines at most"), (["--engines", "nmpy"], 1, "did you mean numpy?"),
    (["--observe", "cnov"], 2, "cannot observe blob"), (["--no-pass", "fus"], 2, "did you mean fuse?"),
    (["-weights", "nowhere.caffemodel"], 1, "nowhere.caffemodel"),
])
def test_mistakes_are_one_line(cli, flags, code, words):
    got, out, err = cli("compare", "tiny.prototxt", *flags)
    assert (got, out, len(err)) == (code, [], 1) and words in err[0]
