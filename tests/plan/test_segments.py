"""Segments: what the host has no part in is run once, recorded, and replayed; in the program's order, packs first."""
from caffempi.plan.packs import Pack
from caffempi.plan.segments import Segments
from caffempi.plan.step import Step


class Bench:
    """Steps that log their names, and an engine that records."""

    def __init__(self, *spec, able=True):
        self.log, self.reasons, self.packed, self.recording, self.able = [], {}, {}, None, able
        self.steps = [Step(phase, 0, lambda name=name: self.did(name), host=(lambda name=name: self.reasons[name]) if asked else None)
                      for phase, name, asked in spec]
        self.versions = {name: 0 for phase, name, _ in spec if phase == "pack"}
        for step, name in zip(self.steps, (name for _, name, _ in spec), strict=True):
            if name in self.versions:
                step.call = Pack(lambda name=name: self.versions[name], self.packed, name, step.call)
        for _, name, asked in spec:
            if asked:
                self.reasons[name] = f"{name}'s part"
        self.segments = Segments(self.steps, self.run, self.capture)

    def did(self, name):
        (self.log if self.recording is None else self.recording).append(name)

    def run(self, places):
        self.did("(")
        for at in places:
            self.steps[at].call()
        self.did(")")

    def capture(self, calls):
        if not self.able:
            return None
        self.recording = []
        for call in calls:
            call()
        made, self.recording = self.recording, None
        return lambda: self.log.append("+".join(made))

    def once(self):
        self.log.clear()
        self.segments.run()
        return " ".join(self.log)


def test_first_run_then_record_then_replay():
    b = Bench(("F", "a", False), ("F", "b", False), ("fire", "f", True), ("B", "c", False))
    assert b.once() == "( a b ) ( f ) ( c )"
    for _ in range(3):
        assert b.once() == "a+b ( f ) c"
    assert b.segments.line() == "2 recorded segments; between them: f's part"


def test_packs_come_first_and_are_recorded_beside_the_others():
    b = Bench(("F", "a", False), ("pack", "p", False), ("F", "b", False), ("pack", "q", False), ("F", "c", False))
    assert b.once() == "p q ( a b c )"
    b.versions = {"p": 1, "q": 1}
    assert b.once() == "p+q a+b+c"
    assert b.once() == "a+b+c"
    assert b.segments.line() == "1 recorded segments"


def test_a_host_that_takes_part_no_more_joins_what_it_parted():
    b = Bench(("F", "a", False), ("fire", "f", True), ("F", "b", False))
    b.once()
    assert b.once() == "a ( f ) b"
    b.reasons["f"] = None
    assert b.once() == "( a f b )"
    assert b.once() == "a+f+b"
    b.reasons["f"] = "again"
    assert b.once() == "( a ) ( f ) ( b )"


def test_what_an_engine_cannot_record_is_run():
    b = Bench(("F", "a", False), able=False)
    for _ in range(3):
        assert b.once() == "( a )"
    assert "the engine records nothing" in b.segments.line()
