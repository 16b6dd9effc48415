"""`caffempi plan` from the command line."""
import pytest


@pytest.mark.parametrize("flags, present, absent", [
    ([], "  loss ", "accuracy"), (["--phase", "TEST"], "accuracy", None), (["--phase=TRAIN"], " B ", "accuracy"),
    (["--observe", "all"], "saved: ", "fuse: "), (["--observe", "outputs"], "fuse: ", None), (["--observe=ip"], "fuse: ", None),
    (["--no-pass", "fuse"], "prune: ", "fuse: "), (["--engine", "numpy"], "engine numpy, precision fp32", None),
    (["--engine", "numpy", "--precision", "FP32"], "engine numpy, precision fp32", None),
    (["-shape", "data=2,3,9,9", "-shape", "label=2"], "2x3x9x9", "4x3x6x6"),
])
def test_prints_the_table(cli, flags, present, absent):
    code, out, err = cli("plan", "tiny.prototxt", *flags)
    text = "\n".join(out)
    assert (code, err) == (0, []) and out[0].startswith("tiny: engine ") and "memory: " in text
    assert present in text and (absent is None or absent not in text)


def test_a_net_whose_data_is_missing_is_planned_by_its_text(cli, folder):
    (folder / "n").write_text('layer { name: "d" type: "Data" top: "d" data_param { source: "x" batch_size: 2 backend: LMDB } '
                              'transform_param { crop_size: 5 } }\nlayer { name: "r" type: "ReLU" bottom: "d" top: "r" }\n')
    code, out, err = cli("plan", "n")
    assert code == 0 and "2x3x5x5" in "\n".join(out)
    assert len(err) == 1 and err[0].endswith("without it, its blobs are d 2x3x5x5")


@pytest.mark.parametrize("flags, fits", [([], "(free now): "), (["--memory_limit", "2G"], "largest batch in 2.15 GB: "),
                                         (["--memory_limit=1K"], "not even a batch of 1"), (["--phase", "TEST"], "free now")])
def test_memory_in_place_of_the_steps(cli, flags, fits):
    code, out, err = cli("plan", "tiny.prototxt", "--memory", *flags)
    text = "\n".join(out)
    assert (code, err) == (0, []) and out[0].startswith("tiny: engine ") and fits in out[-1]
    assert " MB  in all" in text and "one buffer for the data" in text and " F " not in text
    assert ("gradients of params" in text) == (flags[:1] != ["--phase"])


@pytest.mark.parametrize("flags, words", [(["--memory_limit", "1G"], "goes with --memory"), (["--memory", "--memory_limit", "much"],
                                          "must be a size"), (["--memory", "--memory_limit=0M"], "must be a size")])
def test_limits_that_make_no_sense(cli, flags, words):
    code, out, err = cli("plan", "tiny.prototxt", *flags)
    assert (code, out, len(err)) == (2, [], 1) and words in err[0]


@pytest.mark.parametrize("flags, words", [(["--no-pass", "fus"], 'unknown pass "fus"'), (["--observe", "x"], 'cannot observe blob "x"')])
def test_mistakes_are_one_line(cli, flags, words):
    code, out, err = cli("plan", "tiny.prototxt", *flags)
    assert (code, out, len(err)) == (2, [], 1) and words in err[0]


@pytest.mark.parametrize("verb, files", [("plan", ["tiny.prototxt"]), ("time", ["tiny.prototxt"]), ("train", ["solver.prototxt"]),
                                         ("test", ["tiny.prototxt", "--weights", "w.caffemodel"])])
def test_a_precision_that_the_engine_does_not_compute_in(cli, verb, files):
    code, out, err = cli(verb, *files, "--engine", "numpy", "--precision", "bf16")
    assert code == 1 and out == [] and err[-1].endswith(
        "engine numpy computes in fp32, not bf16; leave the precision out, or use another engine")


def test_a_precision_that_there_is_not(cli):
    code, out, err = cli("plan", "tiny.prototxt", "--precision", "fp8")
    assert (code, out, len(err)) == (2, [], 1) and "flag --precision = fp8: must be one of fp32, bf16, fp16, tf32" in err[0]
