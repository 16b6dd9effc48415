"""Layouts as the plan sees them: equal where the memory is, plain where it is, and collected with reasons."""
from caffempi.engines.base import PLAIN, Call, Layout, Offer
from caffempi.engines.onednn.layouts import Form, Offers, desc_of, layout_of
from caffempi.errors import EngineError
from caffempi.ops import Spec
from caffempi.ops.relu import ReluAttrs


def test_there_and_back(engine):
    lib = engine.library
    plain, last = lib.plain((2, 3, 4, 5)), lib.channels_last((2, 3, 4, 5))
    layout = layout_of(last, plain)
    assert layout.tag == "acdb" and layout.nbytes == 480
    assert desc_of(layout, plain) == last and desc_of(PLAIN, plain) == plain
    assert layout == layout_of(lib.channels_last((2, 3, 4, 5)), lib.plain((2, 3, 4, 5)))
    assert layout_of(lib.channels_last((2, 1, 4, 5)), lib.plain((2, 1, 4, 5))) == PLAIN


def test_a_layout_of_other_axes_or_another_engine_is_not_understood(engine):
    lib = engine.library
    layout = layout_of(lib.channels_last((2, 3, 4, 5)), lib.plain((2, 3, 4, 5)))
    assert desc_of(layout, lib.plain((2, 3, 5, 4))) is None
    assert desc_of(Layout("elsewhere", 9, "key"), lib.plain((2, 3))) is None


def test_offers_are_collected_once_and_refusals_with_their_reason(engine):
    lib = engine.library
    form = layout_of(lib.channels_last((2, 3, 4, 5)), lib.plain((2, 3, 4, 5)))

    def fails():
        raise EngineError("no such thing")
    offers = Offers(lambda form: True)
    offers.attempt([lambda: Offer((PLAIN,), (PLAIN,)), fails, lambda: Offer((PLAIN,), (PLAIN,)), fails])
    assert len(offers.found) == 1 and offers.reasons == ["no such thing"]
    stuck = Offers(lambda form: not isinstance(form, Form))
    stuck.attempt([lambda: Offer((form,), (PLAIN,))])
    assert stuck.found == [] and "layout acdb" in stuck.reasons[0]


def test_an_offer_names_the_librarys_code(engine):
    x = Spec((2, 3, 4, 5))
    relu = Call("relu", ReluAttrs(), (x,), (x,))
    names = {offer.impl for offer in engine.offers(relu)}
    assert names and all(names) and not any("ref" in name for name in names)
    assert {offer.impl for offer in engine.base.offers(relu)} == {""}
