"""The list of what `check` finds."""
from caffempi.cli.problems import ERROR, WARNING, Problems
from caffempi.errors import NetError


def test_lines_are_in_the_order_of_the_text_and_begin_with_the_place():
    p = Problems()
    p.add(WARNING, "net:10", "ten")
    p.add(ERROR, "net:9:4", "nine")
    p.add(ERROR, "other:1", "one")
    p.add(WARNING, "net", "all of it")
    assert p.lines() == ["net: warning: all of it", "net:9:4: error: nine", "net:10: warning: ten", "other:1: error: one"]
    assert (p.errors, p.warnings) == (2, 2)


def test_errors_give_their_place_in_front_and_stay_as_they_are():
    p, e = Problems(), NetError("why", layer="a", type="T", field="f", value=1, where="net:3", fix="fix")
    p.error(e, "net")
    p.error(NetError("no place"), "net")
    assert p.lines() == ["net: error: no place", 'net:3: error: layer "a" (T), field f = 1: why; fix']
    assert e.where == "net:3"


def test_a_problem_of_some_states_alone_says_so():
    p = Problems()
    p.enter("TRAIN")
    p.add(ERROR, "net:1", "both")
    p.add(ERROR, "net:2", "train")
    p.enter("TEST")
    p.add(ERROR, "net:1", "both")
    p.add(ERROR, "net:3", "test")
    p.enter("")
    p.add(ERROR, "net:4", "file")
    assert p.lines() == ["net:1: error: both", "net:2: error: train (in TRAIN)", "net:3: error: test (in TEST)",
                         "net:4: error: file"]
    assert p.errors == 4


def test_of_one_state_alone_there_is_nothing_to_say():
    p = Problems()
    p.enter("TEST")
    p.add(ERROR, "net:1", "why")
    assert p.lines() == ["net:1: error: why"]
