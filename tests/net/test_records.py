"""Layers as files hold them: shapes of the layer, shared blobs marked, gradients only where wanted."""
import numpy as np

from caffempi.net.load import load_net
from caffempi.net.records import layer_records, targets

TEXT = """name: "n" input: "x" input_shape { dim: 2 dim: 3 }
layer { name: "a" type: "InnerProduct" bottom: "x" top: "a" param { name: "w" } inner_product_param { num_output: 3 } }
layer { name: "b" type: "InnerProduct" bottom: "a" top: "b" param { name: "w" } inner_product_param { num_output: 3 } }
"""


def test_records_of_shared_params(tmp_path):
    file = tmp_path / "n.prototxt"
    file.write_text(TEXT)
    loaded = load_net(str(file), 1)

    def data(p):
        return np.full(p.spec.shape, p.net_index, np.float32)
    a, b = (r for r in layer_records(loaded.graph, {lp.name: lp for lp in loaded.message.layer}, data, None)
            if r.type == "InnerProduct")
    assert [x.shape for x in a.blobs] == [(3, 3), (3,)] and a.diffs is None and a.shared == frozenset()
    assert b.shared == {0} and (b.blobs[0] == a.blobs[0]).all() and b.settings.name == "b"
    (a, *_) = (r for r in layer_records(loaded.graph, {}, data, lambda p: -data(p)) if r.type == "InnerProduct")
    assert (a.diffs[1] == -a.blobs[1]).all() and a.settings is None
    a, b = (t for t in targets(loaded.graph) if t.type == "InnerProduct")
    assert a.shapes == [(3, 3), (3,)] and not a[3] and b[3] == {0}
