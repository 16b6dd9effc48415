"""Input and the data layers: shapes of their tops, and what is refused."""
import pytest

from caffempi.errors import DataError
from tests.helpers.layercheck import build, refused


def tops(graph):
    return {name: versions[0].spec.shape for name, versions in graph.blobs.items()}


@pytest.mark.parametrize("text,expected", [
    ('top: "a" input_param { shape { dim: 2 dim: 3 } }', {"a": (2, 3)}),
    ('top: "a" top: "b" input_param { shape { dim: 2 } }', {"a": (2,), "b": (2,)}),
    ('top: "a" top: "b" input_param { shape { dim: 0 dim: 3 } shape { } }', {"a": (0, 3), "b": ()})])
def test_input_has_one_shape_for_all_tops_or_one_a_top(text, expected):
    graph = build(f'layer {{ name: "in" type: "Input" {text} }}', dtype="float64")
    assert tops(graph) == expected and graph.inputs == list(expected) and not graph.nodes
    assert {(v.kind, v.spec.dtype) for v in graph.values} == {("in", "float64")}


@pytest.mark.parametrize("text,words", [
    ('top: "a"', ("input_param.shape", "the shape is missing", "give one for all tops")),
    ('top: "a" top: "b" top: "c" input_param { shape { } shape { } }', ("input_param.shape", "has 2 shapes for 3 top(s)")),
    ('top: "a" input_param { shape { dim: 2 dim: -3 } }', ("input_param.shape[0] = [2, -3]", "negative length")),
    ('top: "a" input_param { shape { dim: 65536 dim: 65536 } }', ("input_param.shape[0]", "more than 2147483647 elements")),
    ('top: "a" input_param { shape {' + " dim: 1" * 33 + " } }", ("input_param.shape[0]", "33 axes")),
    ("input_param { shape { } }", ("takes 1 or more top blob(s)",))])
def test_input_refusals(text, words):
    message = refused(f'layer {{ name: "in" type: "Input" {text} }}')
    assert 'layer "in" (Input)' in message and all(w in message for w in words), message


@pytest.mark.parametrize("kind", ["Data", "ImageData", "HDF5Data", "DummyData"])
def test_data_layers_take_their_shapes_from_the_source(kind):
    seen = []

    def probe(layer, n):
        seen.append((layer.type, n))
        return [(5, 3, 8, 8), (5,)]

    graph = build(f'layer {{ name: "d" type: "{kind}" top: "data" top: "label" }}', probe=probe)
    assert tops(graph) == {"data": (5, 3, 8, 8), "label": (5,)} and seen == [(kind, 2)]
    assert graph.layers[0].source and graph.inputs == [] and not graph.nodes


@pytest.mark.parametrize("kind", ["Data", "ImageData"])
def test_image_sources_have_at_most_two_tops(kind):
    assert "takes 1 to 2 top blob(s), the net gives 3" in refused(
        f'layer {{ name: "d" type: "{kind}" top: "a" top: "b" top: "c" }}', probe=lambda layer, n: [(1,)] * n)


def test_faults_of_the_source_name_the_layer_and_a_net_without_data_says_so():
    def probe(layer, n):
        raise DataError("no such database")

    message = refused('layer { name: "d" type: "Data" top: "a" }', probe=probe)
    assert 'layer "d" (Data): no such database' in message
    assert "without access to data" in refused('layer { name: "d" type: "Data" top: "a" }')
    assert "top[0] = [-1]" in refused('layer { name: "d" type: "Data" top: "a" }', probe=lambda layer, n: [(-1,)])
