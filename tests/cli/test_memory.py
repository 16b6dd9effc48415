"""The largest batch as text: within a limit, in what is free, and where there is none to be sought."""
import re

import pytest

from caffempi import TRAIN, Net
from caffempi.cli import memory
from caffempi.cli.memory import free, memory_lines, taken
from tests.helpers.cuda.standin import install
from tests.helpers.pylayers import inputs

NET = 'layer { name: "c" type: "Convolution" bottom: "x" top: "c" convolution_param { num_output: 9 kernel_size: 3 } }\n' \
    'layer { name: "ip" type: "InnerProduct" bottom: "c" top: "ip" inner_product_param { num_output: 5 } }\n' \
    'layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip" bottom: "label" top: "loss" }\n'


@pytest.fixture
def lines(tmp_path):
    def make(text=NET, limit=None, x=(2, 3, 32, 32), label=(2,), engine="numpy"):
        (tmp_path / "n").write_text(inputs(x=x, label=label) + text)
        return memory_lines(Net(tmp_path / "n", TRAIN, seed=1, engine=engine, optimised=True), limit)
    return make


def test_this_machine_tells_what_is_taken_and_free():
    assert 10**6 < taken() < 10**12 and 10**6 < free() < 10**15


def test_more_room_takes_a_larger_batch(lines, monkeypatch):
    monkeypatch.setattr(memory, "taken", lambda: 10**8)         # tests before may leave memory that is let go of meanwhile
    found = []
    for extra in (10**7, 4 * 10**7):
        last = lines(limit=10**8 + extra)[-1]
        match = re.fullmatch(r"largest batch in [\d.]+ GB: (\d+) \(needs [\d.]+ GB\)", last)
        found.append(int(match[1]))
    assert 2 <= found[0] < found[1]


def test_where_no_larger_batch_runs_the_reason_is_told(lines):
    """Not memory is the limit then, but what an array may have."""
    text = lines(limit=10**15)[-1]
    found = re.search(r"GB: (\d+) \(needs [\d.]+ GB\); no larger one runs: .*the shape (\d+) x .* has more than 2147483647", text)
    assert found and int(found[2]) == int(found[1]) + 1


def test_what_is_free_is_the_default(lines, monkeypatch):
    monkeypatch.setattr(memory, "free", lambda: 10**8)
    assert re.search(r"largest batch in [\d.]+ GB \(free now\): \d+", lines()[-1])
    monkeypatch.setattr(memory, "free", lambda: 0)
    monkeypatch.setattr(memory, "taken", lambda: 0)
    assert "not known: give --memory_limit" in lines()[-1]


@pytest.mark.parametrize("how, words", [
    ({"limit": 1000}, "not even a batch of 1 fits in 0.00 GB"),
    ({"label": (3,), "text": NET.split("layer", 3)[0] + 'layer { name: "s" type: "Silence" bottom: "x" bottom: "label" }'}, "no batch in common"),
    ({"text": 'layer { name: "r" type: "Reshape" bottom: "x" top: "r" reshape_param { shape { dim: 2 dim: 3072 } } }\n'
              'layer { name: "s" type: "Silence" bottom: "label" }'}, "takes no other batch than this one: layer \"r\""),
])
def test_there_may_be_none(lines, how, words):
    assert words in lines(**how)[-1]


def test_of_a_gpu_its_own_memory_counts(lines, monkeypatch):
    fake = install(monkeypatch)
    found = []
    for total in (10**8, 10**9):
        fake.total = total
        text = lines(engine="cuda")
        assert not any("the program itself" in line for line in text)
        match = re.fullmatch(r"largest batch in ([\d.]+) GB \(free on the GPU now\): (\d+) \(needs [\d.]+ GB\)", text[-1])
        assert 0.6 * total < 1e9 * float(match[1]) <= total
        found.append(int(match[2]))
    assert 5 * found[0] < found[1]
