"""Python layers in nets: what their methods see and give, against hand-derived numbers, observed and optimised."""
import io
import traceback

import numpy as np
import pytest

from caffempi import TEST, TRAIN, Net
from caffempi.errors import CodeError, NetError, ShapeError
from caffempi.net.python_layer import LayerBlob, LayerBlobs
from tests.helpers.pylayers import inputs, layer, make, write

HEAD = "import numpy as np\nimport caffempi\n"
SCALE = HEAD + """
class Scale(caffempi.Layer):
    def setup(self, bottom, top):
        self.factor = float(self.param_str or 1)
        self.blobs.add_blob(3)
        self.blobs[0].data[...] = [1, 2, 3]
    def reshape(self, bottom, top):
        top[0].reshape(*bottom[0].data.shape)
    def forward(self, bottom, top):
        top[0].data[...] = self.factor * bottom[0].data * self.blobs[0].data
    def backward(self, top, propagate_down, bottom):
        self.blobs[0].diff[...] += (top[0].diff * self.factor * bottom[0].data).sum(0)
        if propagate_down[0]:
            bottom[0].diff[...] = top[0].diff * self.factor * self.blobs[0].data
"""
LOSS = 'layer { name: "loss" type: "Reduction" bottom: "y" top: "loss" loss_weight: 1 }\n'
both = pytest.mark.parametrize("optimised", [False, True])


@both
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_forward_backward_params_and_param_str(tmp_path, optimised, dtype):
    net = make(tmp_path, SCALE, "force_backward: true\n" + inputs(x=(2, 3)) + layer("s", "Scale", "x", top="y", param_str="10") + LOSS,
               optimised=optimised, dtype=dtype, engine="numpy")
    np.testing.assert_array_equal(net.params["s"][0].data, [1, 2, 3])
    x = np.array([[1, 2, 3], [4, 5, 6.]])
    net.blobs["x"].data[...] = x
    assert net.forward_backward() == pytest.approx(10 * (x * [1, 2, 3]).sum())
    np.testing.assert_allclose(net.params["s"][0].diff, 10 * x.sum(0))
    np.testing.assert_allclose(net.blobs["x"].diff, np.tile([10, 20, 30], (2, 1)))
    net.forward_backward(add=True)
    np.testing.assert_allclose(net.params["s"][0].diff, 20 * x.sum(0))
    net.params["s"][0].data[...] = 0
    assert net.run_forward() == 0, "the layer sees what is written into its params"


def test_params_obey_multipliers_sharing_and_weights_files(tmp_path):
    text = inputs(x=(2, 3)) + layer("s", "Scale", "x", top="a", more='param { name: "w" lr_mult: 0 decay_mult: 2 }') + layer(
        "t", "Scale", "a", top="y", more='param { name: "w" }') + LOSS
    net = make(tmp_path, SCALE, text)
    (p,) = net.graph.params
    assert (p.lr_mult, p.decay_mult) == (0, 2)
    net.params["t"][0].data[...] = 5
    net.save(tmp_path / "w.caffemodel")
    other = Net(tmp_path / "net.prototxt", TEST, weights=tmp_path / "w.caffemodel")
    np.testing.assert_array_equal(other.params["s"][0].data, [5, 5, 5])


def test_a_test_net_has_objects_of_its_own_on_the_train_nets_params(tmp_path):
    path = write(tmp_path, SCALE, inputs(x=(1, 3)) + layer("s", "Scale", "x", top="y"))
    train = Net(path, TRAIN)
    test = Net(path, TEST, params_of=train)
    train.params["s"][0].data[...] = 7
    np.testing.assert_array_equal(test.forward(x=np.ones((1, 3)))["y"], [[7, 7, 7]])


SOURCE = HEAD + """
class Growing(caffempi.Layer):
    # as layers of detectors do: the shape is known no sooner than in forward
    def setup(self, bottom, top):
        self.n = 0
        top[0].reshape(1, 3)
    def forward(self, bottom, top):
        self.n = self.n % 4 + 1
        top[0].reshape(self.n, 3)
        top[0].data[...] = np.arange(self.n).reshape(-1, 1)
    def backward(self, top, propagate_down, bottom):
        pass
class Images(caffempi.Layer):
    # as layers of segmentation nets do: reshape looks at the next record, forward moves on
    def setup(self, bottom, top):
        self.at = 1
    def reshape(self, bottom, top):
        top[0].reshape(1, 1, 2 + self.at, 3)
    def forward(self, bottom, top):
        top[0].data[...] = self.at
        self.at += 1
"""


@both
def test_two_sources_whose_shapes_change_at_each_forward_meet_in_one_layer(tmp_path, optimised):
    net = make(tmp_path, SOURCE + SCALE, layer("a", "Growing") + layer("s", "Scale", "a") + layer("b", "Growing")
               + 'layer { name: "e" type: "Eltwise" bottom: "s" bottom: "b" top: "y" }\n' + LOSS, optimised=optimised)
    for n in (1, 2, 3, 4, 1, 2):
        rows = np.arange(n).sum()
        assert net.forward_backward() == pytest.approx(6 * rows + 3 * rows)
        np.testing.assert_allclose(net.params["s"][0].diff, [rows] * 3)
        assert net.blobs["y"].shape == (n, 3) if not optimised else True


def test_shapes_that_do_not_meet_are_an_error_and_the_net_stays_usable(tmp_path):
    code = SOURCE + HEAD + "class Odd(Growing):\n    def forward(self, bottom, top):\n        super().forward(bottom, top)\n" \
        "        top[0].reshape(self.n + (self.n == 2), 3)\n"
    net = make(tmp_path, code, layer("a", "Growing") + layer("b", "Odd")
               + 'layer { name: "e" type: "Eltwise" bottom: "a" bottom: "b" top: "y" }\n')
    net.forward()
    with pytest.raises(ShapeError, match='layer "e"'):
        net.forward()
    assert net.blobs["y"].data.shape[1] == 3
    assert net.forward()["y"].shape == (3, 3)


def test_reshape_runs_before_each_forward(tmp_path):
    net = make(tmp_path, SOURCE, layer("i", "Images") + 'layer { name: "p" type: "Power" bottom: "i" top: "y" power_param { scale: 2 } }')
    for at in (1, 2, 3):
        y = net.forward()["y"]
        assert y.shape == (1, 1, 2 + at, 3) and (y == 2 * at).all()


def test_a_layer_follows_the_shapes_of_its_bottoms(tmp_path):
    net = make(tmp_path, SCALE, inputs(x=(2, 3)) + layer("s", "Scale", "x", top="y"))
    net.forward()
    net.blobs["x"].reshape(4, 3)
    net.reshape()
    assert net.blobs["y"].shape == (4, 3)
    assert net.forward(x=np.ones((4, 3)))["y"].sum() == 24
    net.blobs["x"].reshape(0, 3)
    assert net.forward()["y"].shape == (0, 3)


IN_PLACE = HEAD + """
class Square(caffempi.Layer):
    def forward(self, bottom, top):
        assert bottom[0] is top[0]
        self.x = bottom[0].data.copy()
        top[0].data[...] *= bottom[0].data
    def backward(self, top, propagate_down, bottom):
        assert np.array_equal(bottom[0].data, self.x ** 2), "as in Caffe, the blob holds the top's values by now"
        bottom[0].diff[...] *= 2 * self.x
"""


@both
def test_in_place(tmp_path, optimised):
    net = make(tmp_path, IN_PLACE, "force_backward: true\n" + inputs(x=(2, 3))
               + 'layer { name: "p" type: "Power" bottom: "x" top: "y" power_param { shift: 1 } }\n' + layer("s", "Square", "y", top="y")
               + 'layer { name: "d" type: "Power" bottom: "y" top: "y" power_param { scale: 3 } }\n' + LOSS, optimised=optimised)
    x = np.arange(6.).reshape(2, 3)
    net.blobs["x"].data[...] = x
    assert net.forward_backward() == pytest.approx(3 * ((x + 1) ** 2).sum())
    np.testing.assert_allclose(net.blobs["x"].diff, 6 * (x + 1))


def test_backward_sees_its_blobs_though_a_later_layer_works_in_place(tmp_path):
    code = HEAD + """
    class Exp(caffempi.Layer):
        def reshape(self, bottom, top):
            top[0].reshape(*bottom[0].shape)
        def forward(self, bottom, top):
            top[0].data[...] = np.exp(bottom[0].data)
        def backward(self, top, propagate_down, bottom):
            bottom[0].diff[...] = top[0].diff * top[0].data
    """.replace("\n    ", "\n")
    net = make(tmp_path, code, "force_backward: true\n" + inputs(x=(2, 3)) + layer("s", "Exp", "x", top="y")
               + 'layer { name: "d" type: "Power" bottom: "y" top: "y" power_param { scale: 3 } }\n' + LOSS)
    x = np.arange(6.).reshape(2, 3) / 3
    net.blobs["x"].data[...] = x
    net.forward_backward()
    np.testing.assert_allclose(net.blobs["x"].diff, 3 * np.exp(x), rtol=1e-5)


EYES = HEAD + """
class Eyes(caffempi.Layer):
    seen = []
    def setup(self, bottom, top):
        self.seen.append(("setup", self.phase, self.param_str, self.rank, self.ranks, [b.shape for b in bottom]))
    def reshape(self, bottom, top):
        for b, t in zip(bottom, top):
            t.reshape(*b.shape)
    def forward(self, bottom, top):
        for b, t in zip(bottom, top):
            t.data[...] = b.data
    def backward(self, top, propagate_down, bottom):
        self.seen.append(("backward", propagate_down))
        for b, t, down in zip(bottom, top, propagate_down):
            if down:
                b.diff[...] = t.diff
"""


@pytest.mark.parametrize("phase", [TRAIN, TEST])
def test_what_the_methods_are_told(tmp_path, phase):
    net = make(tmp_path, EYES, inputs(x=(2, 3), z=(1,))
               + 'layer { name: "ip" type: "InnerProduct" bottom: "x" top: "i" inner_product_param { num_output: 3 } }\n'
               + layer("s", "Eyes", "i", "z", top="y u", param_str="7", more="loss_weight: 2 loss_weight: 0"), phase, rank=1, ranks=3)
    seen = type(net.graph.nodes[-1].attrs.host.layer).seen
    assert seen == [("setup", phase, "7", 1, 3, [(2, 3), (1,)])]
    net.forward()
    net.backward()
    assert seen[1:] == [("backward", [True, False])]
    np.testing.assert_allclose(net.blobs["i"].diff, np.full((2, 3), 2)), "a loss_weight of the text makes it a loss"


def test_a_layer_without_tops_runs(tmp_path):
    net = make(tmp_path, HEAD + "class Watch(caffempi.Layer):\n    sums = []\n    def forward(self, bottom, top):\n"
               "        self.sums.append(float(bottom[0].data.sum()))\n", inputs(x=(2,)) + layer("w", "Watch", "x", top="-"))
    net.forward(x=np.array([1, 2]))
    net.forward(x=np.array([3, 2]))
    assert type(net.graph.nodes[-1].attrs.host.layer).sums == [3, 5]


def test_blobs_have_pycaffes_names(tmp_path):
    net = make(tmp_path, HEAD + "class Names(caffempi.Layer):\n    def forward(self, bottom, top):\n        b = bottom[0]\n"
               "        top[0].reshape(6)\n        top[0].data[...] = [b.num, b.channels, b.height, b.width, b.count, b.shape[1]]\n"
               "    def setup(self, bottom, top):\n        top[0].reshape(1)\n", inputs(x=(2, 3, 4, 5)) + layer("y", "Names", "x"))
    np.testing.assert_array_equal(net.forward()["y"], [2, 3, 4, 5, 120, 3])


FAULTS = HEAD + """
def deep(x):
    raise ValueError("no such\\nthing")
class Base(caffempi.Layer):
    def reshape(self, bottom, top):
        top[0].reshape(*bottom[0].shape)
    def forward(self, bottom, top):
        top[0].data[...] = 1
class InSetup(Base):
    def setup(self, bottom, top):
        deep(1)
class InReshape(Base):
    def reshape(self, bottom, top):
        deep(1)
class InForward(Base):
    def forward(self, bottom, top):
        deep(1)
class InBackward(Base):
    def backward(self, top, propagate_down, bottom):
        deep(1)
class InInit(Base):
    def __init__(self, param):
        deep(1)
class WrongShape(Base):
    def forward(self, bottom, top):
        top[0].data[...] = np.zeros((5, 5))
class NoBackward(Base):
    pass
class NoForward(caffempi.Layer):
    reshape = Base.reshape
class NoShape(caffempi.Layer):
    forward = Base.forward
class Negative(Base):
    def reshape(self, bottom, top):
        top[0].reshape(-1, 3)
class Bottom(Base):
    def reshape(self, bottom, top):
        bottom[0].reshape(9)
class LateBlob(Base):
    def forward(self, bottom, top):
        self.blobs.add_blob(3)
"""


def run(tmp_path, kind):
    net = make(tmp_path, FAULTS, "force_backward: true\n" + inputs(x=(2, 3)) + layer("mine", kind, "x", top="y") + LOSS)
    net.forward()
    net.backward()


@pytest.mark.parametrize("kind, said", [
    ("InSetup", "InSetup.setup() failed: ValueError: no such thing"), ("InReshape", "InReshape.reshape() failed: ValueError"),
    ("InForward", "InForward.forward() failed: ValueError"), ("InBackward", "InBackward.backward() failed: ValueError"),
    ("InInit", "InInit() failed: ValueError")])
def test_errors_in_the_code_name_the_layer_and_carry_the_users_own_traceback(tmp_path, kind, said):
    with pytest.raises(CodeError) as caught:
        run(tmp_path, kind)
    e = caught.value
    assert str(e).startswith('layer "mine" (Python)') and said in str(e) and "net.prototxt:3" in str(e) and "\n" not in str(e)
    assert e.exit_code == 1
    assert "in deep" in e.trace and "no such\nthing" in e.trace and "caffempi/" not in e.trace, "the user's own lines only"
    shown = io.StringIO()
    traceback.print_exception(type(e), e, e.__traceback__, file=shown)
    assert shown.getvalue().count("in deep") == 1, "a script that does not catch it shows the traceback too, once"


@pytest.mark.parametrize("kind, error, said", [
    ("WrongShape", CodeError, "could not broadcast"), ("NoBackward", NetError, "class NoBackward has no backward()"),
    ("NoForward", NetError, "class NoForward has no forward()"), ("NoShape", NetError, 'gave top "y" a shape'),
    ("Negative", CodeError, "a dim is negative"), ("Bottom", CodeError, "keeps the shape that the net gives it"),
    ("LateBlob", CodeError, "in setup only")])
def test_misuse_is_told(tmp_path, kind, error, said):
    with pytest.raises(error) as caught:
        run(tmp_path, kind)
    assert said in str(caught.value) and 'layer "mine" (Python)' in str(caught.value)


def test_a_blobs_memory_keeps_what_was_written_and_can_be_lent():
    blob = LayerBlob("float32")
    assert blob.data.size == 0 and not blob.given
    blob.reshape(2, 3)
    blob.data[...] = 5
    blob.diff[...] = 6
    blob.reshape(1, 2)
    assert (blob.data == 5).all() and blob.shape == (1, 2) and blob.count == 2
    there = np.ones((4, 4), np.float32)
    blob.lend(there)
    blob.data[0, 0] = 9
    assert there[0, 0] == 9 and blob.diff.shape == (4, 4)
    blob.own()
    assert blob.data is not there
    with pytest.raises(ShapeError, match="elements"):
        blob.reshape(1 << 20, 1 << 20)


def test_blobs_are_added_in_setup_only():
    blobs = LayerBlobs("float64")
    blobs.add_blob(2, 2)
    assert blobs[0].data.dtype == np.float64 and not blobs[0].data.any()
    with pytest.raises(ShapeError, match="keeps its shape"):
        blobs[0].reshape(5)
    blobs.closed = True
    with pytest.raises(NetError):
        blobs.add_blob(1)
