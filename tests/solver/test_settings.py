"""Which nets a solver names, in which states, and what is refused with file:line and a way out."""
from __future__ import annotations

import pytest
from google.protobuf import text_format

from caffempi.errors import CaffempiError, SolverError
from caffempi.proto import caffe_pb2
from caffempi.proto.fork_fields import FORK_FIELDS
from caffempi.solver.settings import OBEYED, Settings

BASE = 'base_lr: 0.1 lr_policy: "fixed" '


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.prototxt").write_text('name: "a" state { stage: "own" level: 2 } layer { name: "l" type: "Input" top: "x" }')
    (tmp_path / "b.prototxt").write_text('name: "b" layer { name: "l" type: "Input" top: "x" }')
    return tmp_path


def load(text, **kw):
    with open("solver.prototxt", "w") as f:
        f.write(text)
    return Settings("solver.prototxt", **kw)


@pytest.mark.parametrize("text, train", [
    ('net: "a.prototxt"', "a"), ('train_net: "b.prototxt"', "b"),
    ('net_param { name: "c" layer { name: "l" type: "Input" top: "x" } }', "c"),
    ('train_net_param { name: "d" layer { name: "l" type: "Input" top: "x" } }', "d")])
def test_exactly_one_field_names_the_train_net(text, train):
    s = load(BASE + text)
    assert s.train.message.name == train
    assert s.train.state.phase == caffe_pb2.TRAIN
    assert s.tests == []


def test_test_nets_come_in_caffes_order():
    s = load(BASE + 'net: "a.prototxt" test_net: "b.prototxt" test_net_param { name: "p" } test_interval: 5 '
             "test_iter: 1 test_iter: 2 test_iter: 3 test_iter: 4")
    assert [t.message.name for t in s.tests] == ["p", "b", "a", "a"]
    assert all(t.state.phase == caffe_pb2.TEST for t in s.tests)
    assert "test net (#1) specified by test_net file: b.prototxt" in s.tests[1].words


def test_state_is_phase_then_the_nets_then_the_solvers_then_the_callers():
    s = load(BASE + 'net: "a.prototxt" train_state { level: 5 stage: "t" } test_interval: 1 test_iter: 1 test_iter: 1 '
             'test_state { phase: TRAIN stage: "one" } test_state { level: 7 }', stages=["extra"], level=9)
    assert (list(s.train.state.stage), s.train.state.level) == (["own", "t", "extra"], 9)
    assert [(list(t.state.stage), t.state.level, t.state.phase) for t in s.tests] == [
        (["own", "one"], 2, caffe_pb2.TEST), (["own"], 7, caffe_pb2.TEST)]


def test_a_message_serves_as_well_and_is_not_changed():
    p = text_format.Parse(BASE + 'net: "a.prototxt" solver_type: NESTEROV', caffe_pb2.SolverParameter())
    before = p.SerializeToString()
    s = Settings(p, type="SGD")
    assert s.path is None and s.param.type == "SGD" and not s.param.HasField("solver_type")
    assert p.SerializeToString() == before


@pytest.mark.parametrize("text, field, words", [
    (BASE, None, "names no net"),
    (BASE + 'net: "a.prototxt"\ntrain_net: "b.prototxt"', "train_net", "both given"),
    (BASE + '\nnet: "none.prototxt"', "net", "no such file"),
    (BASE + 'net: "a.prototxt" test_interval: 1 test_iter: 1\ntest_net: "none"', "test_net[0]", "no such file"),
    (BASE + '\ntest_iter: 1 net: "a.prototxt"', "test_interval", "no test_interval"),
    (BASE + 'net: "a.prototxt" test_net: "b.prototxt" test_interval: 5', "test_iter", "0 numbers"),
    (BASE + 'train_net: "a.prototxt" test_net: "b.prototxt" test_interval: 5 test_iter: 1 test_iter: 1', "test_iter",
     "2 numbers"),
    (BASE + 'net: "a.prototxt" test_interval: 5 test_iter: 1 test_iter: 1\ntest_state { level: 1 }', "test_state", "1 states"),
    (BASE + 'net: "a.prototxt"\ntest_iter: 0', "test_iter[0]", "at least 1"),
    (BASE + 'net: "a.prototxt"\ntest_interval: -1', "test_interval", "at least 0"),
    (BASE + 'net: "a.prototxt"\niter_size: 0', "iter_size", "at least 1"),
    (BASE + 'net: "a.prototxt"\naverage_loss: 0', "average_loss", "at least 1"),
    (BASE + 'net: "a.prototxt"\nsnapshot: -5', "snapshot", "at least 0"),
    (BASE + 'net: "a.prototxt"\ndisplay: -1', "display", "at least 0"),
    (BASE + 'net: "a.prototxt"\nmax_iter: -1', "max_iter", "at least 0"),
    (BASE + 'net: "a.prototxt"\nmomentum: 1', "momentum", "below 1"),
    (BASE + 'net: "a.prototxt"\nmomentum: -0.1', "momentum", "below 1"),
    (BASE + 'net: "a.prototxt"\nweight_decay: -0.1', "weight_decay", "at least 0"),
    (BASE + 'net: "a.prototxt"\nclip_gradients: nan', "clip_gradients", "finite"),
    (BASE + 'net: "a.prototxt"\nregularization_type: "L3"', "regularization_type", "L2"),
    (BASE + 'net: "a.prototxt"\nwarmup_iter: -1', "warmup_iter", "at least 0"),
    (BASE + 'net: "a.prototxt"\nwarmup_start_lr: 1', "warmup_start_lr", "warmup_iter is missing"),
    (BASE + 'net: "a.prototxt"\nmin_lr: -1', "min_lr", "at least 0"),
    (BASE + 'net: "a.prototxt"\nmax_momentum: 1', "max_momentum", "below 1"),
    (BASE + 'net: "a.prototxt"\nlarc_eta: -1', "larc_eta", "at least 0"),
    (BASE + 'net: "a.prototxt" larc: true\nlarc_policy: "cut"', "larc_policy", "clip"),
    (BASE + 'net: "a.prototxt" larc: true\nlocal_lr_auto: true', "local_lr_auto", "both"),
    (BASE + 'net: "a.prototxt" type: "AdaGrad"\nmomentum: 0.9', "momentum", "no momentum"),
    (BASE + 'net: "a.prototxt" type: "Adam"\ndelta: 0', "delta", "above 0"),
    (BASE + 'net: "a.prototxt"\nmomentum_policy: "steep"', "momentum_policy", "opt"),
    (BASE + 'net: "a.prototxt"\ntype: "Momentum"', "type", "known"),
    ('lr_policy: "fixed" net: "a.prototxt"\nbase_lr: inf', "base_lr", "finite"),
    ('base_lr: 1 net: "a.prototxt"\nlr_policy: "steep"', "lr_policy", "step"),
    ('base_lr: 1 net: "a.prototxt" gamma: 1 lr_policy: "step"\nstepsize: 0', "stepsize", "above 0"),
])
def test_what_cannot_be_obeyed_is_one_line_with_place(text, field, words):
    with pytest.raises(SolverError) as e:
        load(text)
    assert e.value.field == field
    assert words in str(e.value)
    assert "solver.prototxt" in str(e.value) and "\n" not in str(e.value)
    if "\n" in text and field in text.split("\n")[1]:
        assert "solver.prototxt:2" in str(e.value)


@pytest.mark.parametrize("text", ["net: ", "nett: \"x\"", "base_lr: \"x\"", "lr_policy: FIXED }"])
def test_bad_text_is_an_error_with_place(text):
    with pytest.raises(CaffempiError, match=r"solver.prototxt:1"):
        load(text)


def test_a_missing_solver_is_an_error():
    with pytest.raises(CaffempiError, match=r"none.prototxt.*no such file"):
        Settings("none.prototxt")


DATA = """layer { name: "d" type: "Data" top: "x" top: "y" data_param { source: "s" batch_size: 64 } include { phase: TRAIN } }
layer { name: "t" type: "Data" top: "x" top: "y" data_param { source: "s" batch_size: 3 } include { phase: TEST } }
layer { name: "h" type: "HDF5Data" top: "z" hdf5_data_param { source: "s"
  batch_size: 10 } }"""


def test_a_seed_takes_the_place_of_the_texts(folder):
    (folder / "a.prototxt").write_text(DATA)
    text = BASE + 'net: "a.prototxt" random_seed: 3'
    assert load(text).param.random_seed == 3
    assert load(text, seed=5).param.random_seed == 5
    assert load(text, seed=0).param.random_seed == 0


@pytest.mark.parametrize("text, words", [
    ('eval_type: "detection"', 'field eval_type = detection'), ("disabled_update: true", "Intel Caffe, which has no meaning here"),
    ("clip_weights: 0.1", "caffe-windows"), ("test_and_snapshot_last_epochs: 2", "NVCaffe")])
def test_settings_of_forks_that_nobody_obeys_are_refused(text, words):
    with pytest.raises(SolverError) as caught:
        load(f'{BASE} net: "a.prototxt"\n{text}')
    assert words in str(caught.value) and "solver.prototxt:2" in str(caught.value)


def test_hints_of_forks_and_the_dialect_are_noted():
    s = load(BASE + 'net: "a.prototxt" larc: true show_per_class_result: true store_blobs_in_old_format: true')
    assert s.notes == ["dialect nvcaffe, which store_blobs_in_old_format proves: test_initialization is false",
                       "show_per_class_result of SSD, NVCaffe, Intel Caffe, MobileNet-YOLO is without effect here"]
    assert not s.param.test_initialization
    assert load(BASE + 'net: "a.prototxt" larc: true', dialect="bvlc").param.test_initialization


def test_every_setting_that_is_obeyed_is_a_forks():
    assert {f"SolverParameter.{name}" for name in OBEYED} <= FORK_FIELDS.keys()


@pytest.mark.parametrize("text, words", [
    ("snapshot_type: INT", r"snapshot_type = INT .*: must be FLOAT or FLOAT16"),
    ("snapshot_type: FLOAT16 store_blobs_in_old_format: true", "store_blobs_in_old_format = true .*: asks for a notation")])
def test_types_of_snapshots_that_cannot_be_are_refused(text, words):
    with pytest.raises(SolverError, match=words):
        load(f'{BASE} net: "a.prototxt"\n{text}')
