"""The table of verbs."""
import pytest

from caffempi.cli.verb import VERBS, Verb
from caffempi.errors import UsageError
from caffempi.registry import import_all

import_all("caffempi.cli.verbs")


def test_all_verbs_are_there():
    assert VERBS.names() == ["check", "compare", "device_query", "plan", "test", "time", "train",
                             "upgrade_net_proto_binary", "upgrade_net_proto_text", "upgrade_solver_proto_text"]
    assert all(issubclass(verb, Verb) for _, verb in VERBS.items())


def test_only_training_and_testing_use_several_ranks():
    assert [name for name, verb in VERBS.items() if verb.ranks] == ["test", "train"]


def test_an_unknown_verb_lists_the_near_ones_and_all():
    with pytest.raises(UsageError, match=r'unknown verb "tran"; did you mean train\? known: check, .*train'):
        VERBS.get("tran")
