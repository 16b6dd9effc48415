"""Programs go on from a node's own step, and time their steps."""
import pytest

from caffempi.ops import Node
from caffempi.plan.program import NewShapes, Program
from caffempi.plan.step import Step


def test_going_on_after_new_shapes_starts_with_the_nodes_own_step():
    said = []
    node = Node("filter", None, (), (), 1)
    steps = [Step("F", 0, lambda: said.append("a")), Step("shape", 1, lambda: said.append("watch"), node),
             Step("F", 1, lambda: said.append("filter"), node), Step("F", 2, lambda: said.append("b"))]
    program = Program(steps, [])
    program.run_layers(0, 2, after=node)
    assert said == ["filter", "b"]
    assert NewShapes(3, node, ()).index == 3


@pytest.mark.parametrize("falling", [False, True])
def test_each_steps_time_is_told_on_request(falling):
    seen = []
    order = [2, 1, 1, 0] if falling else [0, 1, 1, 2]
    program = Program([Step("F", k, lambda: None) for k in order], [], falling)
    program.run_layers(order[1], order[3], record=lambda step, seconds: seen.append((step.layer, seconds)))
    assert [k for k, _ in seen] == order[1:] and all(seconds >= 0 for _, seconds in seen)


def test_any_clock_serves():
    ticks = iter(range(0, 100, 7))
    seen = []
    Program([Step("F", k, lambda: None) for k in range(3)], []).run_layers(
        0, 2, record=lambda step, seconds: seen.append(seconds), clock=lambda: next(ticks))
    assert seen == [7, 7, 7]
