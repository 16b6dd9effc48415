"""`caffempi time` from the command line."""
import re

import pytest


@pytest.mark.parametrize("file", ["tiny.prototxt", "fed.prototxt"])
@pytest.mark.parametrize("flags", [[], ["--train"], ["-phase", "TRAIN"], ["--phase=TEST", "--threads=1"]])
def test_prints_each_layer_and_last_the_median(cli, file, flags):
    code, out, err = cli("time", "-model", file, "-iterations", "2", *flags)
    assert code == 0
    assert re.fullmatch(r"[\d.]+ ms/iter", out[-1])
    assert out[-2] == ("Median of forward, backward and update:" if "--train" in flags else "Median of forward:")
    test = "--train" not in flags and "TRAIN" not in flags
    assert [line.split("\t")[0].strip() for line in out if "\tforward: " in line] == [
        "data", *(["label_data_1_split"] if test else []), "conv", "relu", "ip", *(["ip_ip_0_split", "accuracy"] if test else []),
        "loss"]
    for words in ("Average Forward pass: ", "Average Backward pass: ", "Average Forward-Backward: ", "Total Time: "):
        assert sum(line.startswith(words) for line in out) == 1
    assert any("Testing for 2 iterations." in line for line in err)


def test_missing_data_is_replaced_and_said_so(cli, folder):
    (folder / "n").write_text('layer { name: "d" type: "Data" top: "d" data_param { source: "x" batch_size: 2 backend: LMDB } '
                              'transform_param { crop_size: 5 } }\nlayer { name: "r" type: "ReLU" bottom: "d" top: "r" }\n')
    code, _, err = cli("time", "n", "-iterations=1")
    assert code == 0 and "there is no database x" in err[0]


@pytest.mark.parametrize("argv, code, words", [
    (["time"], 2, "time needs a model"), (["time", "n", "--train"], 2, "the net has no loss"),
    (["time", "n", "-gpu", "7,x"], 2, "no list of GPUs"), (["time", "n", "--engine", "nope"], 1, 'unknown engine "nope"'),
])
def test_mistakes_are_one_line(cli, folder, argv, code, words):
    (folder / "n").write_text('layer { name: "d" type: "Input" top: "d" input_param { shape { dim: 1 } } }\n'
                              'layer { name: "r" type: "ReLU" bottom: "d" top: "r" }\n')
    got, out, err = cli(*argv)
    assert (got, out, len(err)) == (code, [], 1) and words in err[0]
