"""A plan as text."""
import pytest

from caffempi.errors import EngineError
from caffempi.net import TRAIN, Net
from caffempi.plan.step import MOVES
from caffempi.plan.table import align, plan_table

TEXT = """layer { name: "d" type: "Input" top: "d" top: "l" input_param { shape { dim: 2 dim: 3 dim: 5 dim: 5 } shape { dim: 2 } } }
layer { name: "c" type: "Convolution" bottom: "d" top: "c" convolution_param { num_output: 2 kernel_size: 3 } }
layer { name: "r" type: "ReLU" bottom: "c" top: "c" }
layer { name: "ip" type: "InnerProduct" bottom: "c" top: "ip" inner_product_param { num_output: 4 } }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip" bottom: "l" top: "loss" }
"""


def net(tmp_path, text=TEXT, **kw):
    (tmp_path / "n").write_text(text)
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


def test_what_only_moves_arrays_is_told_with_its_layouts_and_bytes(tmp_path):
    """With an engine that wants its own layouts."""
    wide = TEXT.replace("dim: 2 dim: 3 dim: 5 dim: 5", "dim: 2 dim: 32 dim: 9 dim: 9").replace("num_output: 2", "num_output: 32")
    try:
        binding = net(tmp_path, wide, engine="onednn", optimised=True).binding
    except EngineError as e:
        pytest.skip(str(e))
    lines, steps = plan_table(binding), [*binding.forward.steps, *binding.backward.steps]
    moves = [(step, line) for step, line in zip(steps, lines[1:], strict=False) if step.phase in MOVES]
    assert moves and all(f"{step.moved / 1e3:.1f}" == line.split()[-1] and " plain" in line for step, line in moves)
    for what, program in (("forward", binding.forward), ("backward", binding.backward)):
        (total,) = [line for line in lines if line.startswith(f"{what}: ")]
        for phase, word in (("reorder", "reorders"), ("pack", "packs of params"), ("add", "additions")):
            moved = [step.moved for step in program.steps if step.phase == phase]
            assert (f"{len(moved)} {word} of {sum(moved) / 1e6:.1f} MB" in total) is bool(moved)
    assert not any("beside the maths" in line for line in plan_table(net(tmp_path, engine="numpy", optimised=True).binding))


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
