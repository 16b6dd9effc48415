"""All faults of a net at once."""
import pytest

from caffempi.cli.check_net import check_net_file
from caffempi.cli.main import main
from caffempi.cli.problems import Problems

BAD = '''name: "bad"
layer { name: "data" type: "Data" top: "data" top: "label" data_param { source: "nowhere" batch_size: 4 backend: LMDB } }
layer { name: "c1" type: "Convolution" bottom: "data" top: "c1" convolution_param { num_output: 0 kernel_size: 3 } fork: 3 }
layer { name: "p0" type: "Pooling" bottom: "c1" top: "p0" pooling_param { kernel_size: 3 stride: 0 pool: MAXX } }
layer { name: "x" type: "Relu" bottom: "data" top: "x" }
layer { name: "drop" type: "Dropout" bottom: "data" top: "data" dropout_param { dropout_ratio: 1.5 } }
layer { name: "y" type: "InnerProduct" bottom: "dat" top: "y" inner_product_param { num_output: 10 } }
layer { name: "z" type: "InnerProduct" bottom: "data" top: "z"
  inner_product_param { num_output: 10 weight_filler { type: "xavierr" } } }
layer { name: "n" type: "LRN" bottom: "data" top: "n" lrn_param { local_size: 4 } }
layer { name: "q" type: "Reluu" bottom: "y" bottom: "nobody" top: "q" }
layer { name: "w" type: "InnerProduct" bottom: "data" top: "w" inner_product_param { num_output: 10
  weight_filler { type: "xavier" } } }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "w" bottom: "label" top: "loss" loss_param { ignore_lable: 3 } }
'''


def check(folder, text, phases=("TRAIN", "TEST"), shapes=None, **kw):
    (folder / "n").write_text(text)
    problems = Problems()
    check_net_file("n", phases, 0, (), shapes or {}, problems, **kw)
    return problems


EXPECTED = [
    ("n:3: error", "num_output = 0: must be above 0"), ("n:3:116: error", 'LayerParameter has no field "fork"'),
    ("n:4: error", "pooling_param.stride = 0: must be at least 1"), ("n:4:106: error", 'there is no value "MAXX"'),
    ("n:5: error", "unknown layer type"), ("n:6: error", "dropout_ratio = 1.5"),
    ("n:7: error", 'unknown bottom blob "dat": no layer above makes it; did you mean data?'),
    ("n:9: error", "unknown filler type"), ("n:10: error", "local_size = 4"),
    ("n:11: error", 'unknown bottom blob "nobody"'), ("n:11: error", "unknown layer type"),
    ("n:14:", 'LossParameter has no field "ignore_lable"; did you mean ignore_label?'),
]


@pytest.mark.parametrize("shapes", [{}, {"data": (4, 3, 32, 32), "label": (4,)}], ids=["shape unknown", "shape given"])
def test_one_fault_does_not_hide_the_next(folder, shapes):
    found = check(folder, BAD, shapes=shapes)
    lines = found.lines()
    for place, words in EXPECTED:
        assert [line for line in lines if line.startswith(place) and words in line], (place, words, lines)
    assert found.errors == len(EXPECTED), lines
    missing = [line for line in lines if "there is no database nowhere" in line]
    assert len(missing) == (0 if shapes else 1)
    assert all(": warning: " in line for line in missing)


def test_shapes_that_do_not_fit_are_told_where_they_are_known(folder):
    text = '''layer { name: "d" type: "Data" top: "d" data_param { source: "x" batch_size: 2 backend: LMDB } transform_param { crop_size: 5 } }
layer { name: "c" type: "Convolution" bottom: "d" top: "c" convolution_param { num_output: 1 kernel_size: 9 } }
layer { name: "r" type: "ReLU" bottom: "c" top: "c" }
'''
    lines = check(folder, text).lines()
    assert len(lines) == 2 and lines[0].startswith("n:1: warning: ") and "without it, its blobs are d 2x3x5x5" in lines[0]
    assert lines[1].startswith("n:2: error: ")
    known = check(folder, text, shapes={"d": (2, 3, 20, 20)})
    assert known.lines() == []
    unknown = check(folder, text.replace("crop_size: 5", "scale: 0.5").replace("9", "999"))
    assert unknown.errors == 0 and "--shape d=..." in unknown.lines()[0]


@pytest.mark.parametrize("text, words", [
    ("", "n: error: the net has no layers"),
    ('layer { name: "a" type: "ReLU" ', 'n:1:32: error: "}" is missing at the end of the file'),
    ('layer { name: "a" type: "ReLU" include { phase: TEST } exclude { phase: TRAIN } }', "n:1: error: layer"),
    ('layer { name: "a" } layers { name: "b" }', "n"),
    ('layer { name: "d" type: "Data" top: "d" data_param { source: "x" batch_size: 0 backend: LMDB } }',
     'n:1: error: layer "d" (Data), field data_param.batch_size = 0: must be at least 1'),
    ('layer { name: "d" type: "DummyData" top: "d" dummy_data_param { } }', "n:1: error: "),
    ('layer { name: "d" type: "Data" top: "d" top: "e" top: "f" data_param { source: "x" batch_size: 1 } }', "n:1: error: "),
])
def test_nets_that_are_no_nets(folder, text, words):
    found = check(folder, text)
    assert found.errors >= 1 and found.lines()[0].startswith(words), found.lines()
    assert len({line.split(": ")[0] for line in found.lines()}) == len(found.lines()), "each place once"


def test_faults_of_one_phase_are_told_as_such(folder):
    text = '''layer { name: "d" type: "Input" top: "d" input_param { shape { dim: 2 dim: 3 } } }
layer { name: "a" type: "ReLUU" bottom: "d" top: "a" include { phase: TEST } }
'''
    assert check(folder, text).lines()[0].endswith("(in TEST)")
    assert check(folder, text, ["TRAIN"]).lines() == []


def test_unknown_fields_can_be_allowed(folder):
    text = 'layer { name: "d" type: "Input" top: "d" fork: 1 input_param { shape { dim: 2 } } }\n'
    assert check(folder, text).errors == 1
    found = check(folder, text, allow_unknown=True)
    assert (found.errors, found.warnings) == (0, 1) and found.lines()[0].startswith("n:1:42: warning: LayerParameter has no")


def test_old_notations_are_told(folder):
    found = check(folder, 'input: "d" input_dim: 1 input_dim: 2 input_dim: 3 input_dim: 4')
    assert (found.errors, found.warnings) == (0, 1) and "old notation" in found.lines()[0]


def test_a_net_with_inputs_for_one_phase_alone_is_checked_in_that(folder):
    text = '''layer { name: "d" type: "Input" top: "d" input_param { shape { dim: 2 dim: 3 } } include { phase: TRAIN } }
layer { name: "r" type: "ReLU" bottom: "d" top: "r" }
'''
    assert check(folder, text).lines() == []
    assert check(folder, text, ["TEST"]).errors == 1


def test_no_data_takes_shapes_from_the_text_though_the_data_is_there(folder, capsys):
    from caffempi.data.write_lmdb import write_datums
    from caffempi.proto import caffe_pb2
    write_datums("db", [(b"0", caffe_pb2.Datum(channels=1, height=9, width=9, data=bytes(81)))])
    (folder / "n.prototxt").write_text(
        'layer { name: "d" type: "Data" top: "x" data_param { source: "db" batch_size: 2 backend: LMDB } '
        'transform_param { crop_size: 7 } }\n'
        'layer { name: "c" type: "Convolution" bottom: "x" top: "c" convolution_param { num_output: 1 kernel_size: 8 } }\n')
    assert main(["check", "n.prototxt"]) == 1 and "kernel_size" in capsys.readouterr().out
    assert main(["check", "--no-data", "--shape", "x=2,3,30,30", "n.prototxt"]) == 0
    assert main(["check", "--no-data", "n.prototxt"]) == 1
    assert "2,3,7,7" in capsys.readouterr().out.replace(" x ", ",")
