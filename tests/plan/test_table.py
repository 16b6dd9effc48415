"""A plan as text."""
import pytest

from caffempi.net import TRAIN, Net
from caffempi.plan.table import align, plan_table

TEXT = """layer { name: "d" type: "Input" top: "d" top: "l" input_param { shape { dim: 2 dim: 3 dim: 5 dim: 5 } shape { dim: 2 } } }
layer { name: "c" type: "Convolution" bottom: "d" top: "c" convolution_param { num_output: 2 kernel_size: 3 } }
layer { name: "r" type: "ReLU" bottom: "c" top: "c" }
layer { name: "ip" type: "InnerProduct" bottom: "c" top: "ip" inner_product_param { num_output: 4 } }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip" bottom: "l" top: "loss" }
"""


def net(tmp_path, **kw):
    (tmp_path / "n").write_text(TEXT)
    return Net(tmp_path / "n", TRAIN, seed=0, **kw)


@pytest.mark.parametrize("optimised", [False, True])
@pytest.mark.parametrize("engine", ["numpy", None])
def test_every_step_has_a_line_with_shapes_and_cost(tmp_path, engine, optimised):
    binding = net(tmp_path, engine=engine, optimised=optimised).binding
    lines = plan_table(binding)
    steps = [*binding.forward.steps, *binding.backward.steps]
    rows = [line.split() for line in lines[1:1 + len(steps)]]
    assert [row[0] for row in rows] == [str(k) for k in range(len(steps))]
    assert [row[1] for row in rows] == [step.phase for step in steps]
    conv = next(row for row in rows if row[1:3] == ["F", "c"] and row[3].startswith("conv"))
    assert {"2x3x5x5", "2x3x3x3", "2x2x3x3"} <= set(conv)
    flops = sum(step.cost[0] for step in binding.forward.steps)
    assert f"forward: {len(binding.forward.steps)} steps, {flops / 1e6:.1f} MFLOP" in "\n".join(lines)


def test_buckets_and_what_the_passes_did_are_told(tmp_path):
    n = net(tmp_path, optimised=True, engine="numpy")
    text = "\n".join(plan_table(n.binding))
    assert text.count("bucket is final") == len(n.arena.buckets)
    assert all(line in text for line in n.plan.log)


def test_memory_adds_up(tmp_path):
    n = net(tmp_path, engine="numpy")
    (line,) = [line for line in plan_table(n.binding) if line.startswith("memory: ")]
    total = n.binding.storage.nbytes + n.arena.data.nbytes + n.arena.grad.nbytes + n.arena.stat.nbytes
    assert line.startswith(f"memory: {total / 1e6:.2f} MB = ")
    parts = [float(part.split()[0]) for part in line.split(" = ")[1].split(" + ")]
    assert sum(parts) == pytest.approx(total / 1e6, abs=0.01 * len(parts))


def test_columns_stand_below_each_other():
    assert align([("a", "bb", "c"), ("aaa", "b", "cc")], right={1}) == ["a    bb  c", "aaa   b  cc"]
