"""Guards without clocks, measured in a run: calls into the library an iteration, and what an iteration allocates.

calls: primitives executed, forward and backward, when every param has changed. peak: the most bytes that an iteration holds
beyond what the net has, the batch being 1: small vectors of losses, pools of random numbers, never an array of a blob's size.
"""
import json

import pytest

from tests.engines.onednn.test_counts import ISAS, ROOT, SIZES, printed

WANT = {"lenet": (23, 16_000), "cifar10_full": (45, 12_000), "googlenet": (501, 40_000), "resnet50": (510, 25_000)}
WIDE = {"cifar10_full": 35, "googlenet": 523, "resnet50": 962}
"""Calls where AVX-512 differs: a kernel of the library's own for LRN takes the place of several passes, and some gradients of
weights reach C order by several calls (`reorder.py`)."""


@pytest.fixture(scope="module", params=ISAS)
def measured(engine, request):
    return request.param, printed(measure, request.param)


@pytest.mark.parametrize("name", WANT)
def test_an_iteration_calls_no_more_and_allocates_nothing_of_size(measured, name):
    isa, found = measured
    calls, left, peak = found[name]
    assert calls == (WANT[name][0] if isa == "AVX2" else WIDE.get(name, WANT[name][0]))
    assert left < 2000 and peak < WANT[name][1]


def measure():
    """Prints (calls, bytes that stay, most bytes at once) of a training iteration by net, as JSON."""
    import tracemalloc

    from caffempi import TRAIN, Net
    from caffempi.cli.inputs import fill_inputs, prepare
    result = {}
    for name in WANT:
        text = str(ROOT / "models" / name / "train_val.prototxt")
        message = prepare(text, TRAIN, shapes={"data": (1, *SIZES[name]), "label": (1,)}).message
        net = Net(message, TRAIN, engine="onednn", seed=1, optimised=True)
        fill_inputs(net, 1)
        library, count = net.plan.engine.library, [0]
        execute = library.execute

        def counting(*args, execute=execute, count=count):
            count[0] += 1
            return execute(*args)
        library.execute = counting                              # programs take it when they are bound, at their first run
        net.forward_backward()
        net.param_state.touch()
        count[0] = 0
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        net.forward_backward()
        now, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        result[name] = (count[0], now - before, peak - before)
        result["isa"] = library.isa
        net.close()
    print(json.dumps(result))
