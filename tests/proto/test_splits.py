"""Split layers: Caffe's names, one reader a blob, loss weights as readers, and unknown bottoms named."""
import pytest
from google.protobuf import text_format

from caffempi.errors import NetError
from caffempi.proto import caffe_pb2
from caffempi.proto.splits import insert_splits

DATA = 'layer { name: "d" type: "Input" top: "data" top: "label" } '


def split(text):
    return insert_splits(text_format.Parse(text, caffe_pb2.NetParameter()))


def test_two_readers_get_a_split_with_the_usual_names():
    net, origin = split(DATA + 'layer { name: "a" type: "X" bottom: "data" top: "a" } '
                               'layer { name: "b" type: "X" bottom: "data" bottom: "a" top: "b" }')
    assert [lp.name for lp in net.layer] == ["d", "data_d_0_split", "a", "b"] and origin == [0, -1, 1, 2]
    assert list(net.layer[1].top) == ["data_d_0_split_0", "data_d_0_split_1"]
    assert list(net.layer[2].bottom) == ["data_d_0_split_0"] and list(net.layer[3].bottom) == ["data_d_0_split_1", "a"]


def test_readers_of_an_in_place_blob_read_its_newest_version():
    net, _ = split(DATA + 'layer { name: "c" type: "X" bottom: "data" top: "c" } layer { name: "r" type: "R" bottom: "c" top: "c" } '
                   'layer { name: "a" type: "X" bottom: "c" top: "a" } layer { name: "b" type: "X" bottom: "c" top: "b" }')
    assert [lp.name for lp in net.layer] == ["d", "c", "r", "c_r_0_split", "a", "b"]
    assert list(net.layer[2].bottom) == ["c"] and net.layer[4].bottom[0] == "c_r_0_split_0"


def test_one_reader_needs_no_split_and_the_given_net_is_not_changed():
    given = text_format.Parse(DATA + 'layer { name: "a" type: "X" bottom: "data" bottom: "label" top: "a" }', caffe_pb2.NetParameter())
    before = given.SerializeToString()
    net, origin = insert_splits(given)
    assert len(net.layer) == 2 and origin == [0, 1] and given.SerializeToString() == before


def test_a_loss_that_is_read_too_moves_its_weight_to_the_first_split():
    net, _ = split(DATA + 'layer { name: "l" type: "Loss" bottom: "data" top: "l" loss_weight: 2 } '
                          'layer { name: "p" type: "X" bottom: "l" top: "p" }')
    loss, s, p = net.layer[1:]
    assert list(loss.loss_weight) == [0] and list(s.loss_weight) == [2, 0] and p.bottom[0] == "l_l_0_split_1"


@pytest.mark.parametrize("text, message", [
    ('layer { name: "a" type: "X" bottom: "dta" top: "a" }', 'unknown bottom blob "dta".*did you mean data'),
    ('layer { name: "a" type: "X" bottom: "z" top: "a" } layer { name: "zz" type: "X" bottom: "a" top: "z" }',
     'made only later, by layer "zz"; move that layer up'),
])
def test_unknown_bottoms(text, message):
    with pytest.raises(NetError, match=message):
        split(DATA + text)
