"""Packs: renewed when due, and replayed as one call where the same ones are due again and again."""
import pytest

from caffempi.plan.packs import Pack, Packs


class Bench:
    """Copies named a, b, c of params whose versions are the test's, and an engine that records."""

    def __init__(self, names="abc", able=True):
        self.versions, self.packed, self.log, self.able = dict.fromkeys(names, 0), {}, [], able
        self.packs = [Pack(lambda n=n: self.versions[n], self.packed, n, lambda n=n: self.log.append(n)) for n in names]
        self.program = Packs(self.packs, self.capture)

    def capture(self, calls):
        if not self.able:
            return None
        before, self.log = self.log, []
        for call in calls:
            call()
        made, self.log = self.log, before
        return lambda: self.log.append("+".join(made))

    def once(self, *changed):
        for name in changed:
            self.versions[name] += 1
        self.log.clear()
        self.program.renew()
        assert not any(pack.due() for pack in self.packs if self.versions[pack.key] is not None)
        return " ".join(self.log)


def test_what_is_due_each_time_is_recorded_at_the_second():
    b = Bench()
    assert b.once() == "a b c"
    assert b.once() == ""
    assert [b.once("a", "b", "c") for _ in range(3)] == ["a+b+c"] * 3
    assert b.once() == ""
    assert b.once("a", "b", "c") == "a+b+c"


def test_others_that_are_due_are_recorded_anew():
    b = Bench()
    b.once()
    assert [b.once("b") for _ in range(3)] == ["b", "b", "b"]
    assert [b.once("a", "c") for _ in range(3)] == ["a c", "a+c", "a+c"]
    assert b.once("a", "b", "c") == "a b c"


def test_a_param_that_may_have_changed_is_always_due():
    b = Bench("a")
    b.versions["a"] = None
    assert [b.once() for _ in range(3)] == ["a", "a", "a"]
    assert b.packs[0].due()


def test_two_kernels_that_want_one_copy_renew_it_once():
    b = Bench("aab")
    assert b.once() == "a b"
    assert b.once("a", "b") == "a+b"


@pytest.mark.parametrize("version", [0, 1])
def test_a_single_pack_is_renewed_by_its_call(version):
    b = Bench("a")
    b.versions["a"] = version
    b.packs[0]()
    b.packs[0]()
    assert b.log == ["a"] and b.packed == {"a": version}


def test_an_engine_that_records_nothing_copies_each_time():
    b = Bench(able=False)
    b.once()
    assert [b.once("a", "b") for _ in range(3)] == ["a b"] * 3
