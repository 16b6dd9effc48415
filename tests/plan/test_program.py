"""Programs go on from a node's own step, and time their steps."""
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


def test_profile_tells_each_steps_time():
    seen = []
    Program([Step("F", k, lambda: None) for k in range(3)], []).profile(lambda step, s: seen.append((step.layer, s)))
    assert [k for k, _ in seen] == [0, 1, 2] and all(s >= 0 for _, s in seen)
