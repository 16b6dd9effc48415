"""Dialects: whose defaults hold where forks differ, and what proves one."""
from __future__ import annotations

import pytest

from caffempi.errors import UsageError
from caffempi.proto.caffe_pb2 import NetParameter, SolverParameter
from caffempi.proto.dialect import DIALECTS, apply_dialect, guess_dialect
from caffempi.proto.parse import parse


def solver(text: str) -> SolverParameter:
    message = SolverParameter()
    parse(text, message, "f")
    return message


def net(text: str) -> NetParameter:
    message = NetParameter()
    parse(text, message, "f")
    return message


def test_the_dialects() -> None:
    assert DIALECTS == ("bvlc", "caffempi2", "intel", "nvcaffe", "ssd")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_defaults_of_solvers(dialect: str) -> None:
    got = solver("")
    notes = apply_dialect(got, dialect)
    assert got.test_initialization is (dialect != "nvcaffe")
    assert got.rms_decay == (0 if dialect == "caffempi2" else pytest.approx(0.99))
    assert len(notes) == 1 and notes[0].startswith(f"dialect {dialect}: ")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_defaults_of_nets(dialect: str) -> None:
    got = net('layer { type: "BatchNorm" } layer { type: "BatchNorm" batch_norm_param { eps: 1e-3 } } layer { type: "ReLU" }')
    notes = apply_dialect(got, dialect)
    assert got.layer[0].batch_norm_param.eps == pytest.approx(1e-4 if dialect == "caffempi2" else 1e-5)
    assert got.layer[1].batch_norm_param.eps == pytest.approx(1e-3) and not got.layer[2].HasField("batch_norm_param")
    assert ("batch_norm_param.eps is 0.0001 in 1 layer(s)" in notes[0]) is (dialect == "caffempi2")


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("value", ["true", "false"])
def test_false_for_use_global_stats_is_unset_in_nvidias_line(dialect: str, value: str) -> None:
    got = net(f'layer {{ type: "BatchNorm" batch_norm_param {{ use_global_stats: {value} }} }}')
    apply_dialect(got, dialect)
    kept = got.layer[0].batch_norm_param.HasField("use_global_stats")
    assert kept is not (value == "false" and dialect in ("nvcaffe", "caffempi2"))


def test_what_the_text_says_stays() -> None:
    got = solver("test_initialization: true rms_decay: 0.5")
    for dialect in DIALECTS:
        assert "no default differs here" in apply_dialect(got, dialect)[0]
    assert got == solver("test_initialization: true rms_decay: 0.5")


def test_nets_inside_a_solver_are_reached() -> None:
    got = solver('net_param { layer { type: "BatchNorm" } } test_net_param { layer { type: "BatchNorm" } }')
    apply_dialect(got, "caffempi2")
    assert got.net_param.layer[0].batch_norm_param.eps == got.test_net_param[0].layer[0].batch_norm_param.eps == pytest.approx(1e-4)


@pytest.mark.parametrize(("message", "dialect", "proof"), [
    (solver("larc: true"), "nvcaffe", "larc"), (solver("rampup_interval: 3 larc: true"), "nvcaffe", "larc"),
    (solver("rampup_interval: 3"), None, ""), (solver("warmup_iter: 3"), "intel", "warmup_iter"), (solver(""), None, ""),
    (solver("per_parameter_reduce: true"), "caffempi2", "per_parameter_reduce"),
    (net('layer { type: "Permute" }'), None, ""), (net('layer { type: "Permute" engine: "E" }'), "intel", "engine"),
    (net("eltwise_mem_sharing: false"), "nvcaffe", "eltwise_mem_sharing"), (net('layer { type: "TRT" }'), "nvcaffe", "layer type TRT"),
    (net('layer { type: "Interp" interp_param { height: 1 } }'), None, ""),
])
def test_a_dialect_is_guessed_only_where_something_proves_it(message: SolverParameter, dialect: str | None, proof: str) -> None:
    assert guess_dialect(message) == (dialect, proof)
    notes = apply_dialect(message)
    assert [note.partition(":")[0] for note in notes] == ([f"dialect {dialect}, which {proof} proves"] if dialect else [])


def test_unknown_dialects_are_refused() -> None:
    with pytest.raises(UsageError, match='unknown dialect "nvcafe"; did you mean nvcaffe'):
        apply_dialect(solver(""), "nvcafe")
