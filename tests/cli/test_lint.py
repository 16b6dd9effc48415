"""What may be said in a net, but seldom is meant."""
import pytest

from caffempi.cli.check_net import check_net_file
from caffempi.cli.problems import Problems

HEAD = '''layer { name: "d" type: "Input" top: "d" top: "l" input_param { shape { dim: 2 dim: 3 dim: 5 dim: 5 } shape { dim: 2 } } }
'''
IP = '''layer { name: "ip" type: "InnerProduct" bottom: "%s" top: "ip" %s
        inner_product_param { num_output: 3 weight_filler { type: "xavier" } } }
'''
LOSS = 'layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip" bottom: "l" top: "loss" }\n'
CONV = '''layer { name: "c" type: "Convolution" bottom: "d" top: "c" convolution_param { num_output: 2 kernel_size: 3
        weight_filler { type: "xavier" } } }
'''


def warnings(folder, text):
    (folder / "n").write_text(text)
    problems = Problems()
    check_net_file("n", ["TRAIN", "TEST"], 0, (), {}, problems)
    assert problems.errors == 0, problems.lines()
    return problems.lines()


def test_a_sound_net_has_none(folder):
    assert warnings(folder, HEAD + CONV + IP % ("c", "") + LOSS) == []


@pytest.mark.parametrize("text, line, words", [
    (HEAD + CONV + 'layer { name: "n" type: "LRN" bottom: "c" top: "n" }\n'
     'layer { name: "r" type: "ReLU" bottom: "n" top: "n" }\n' + IP % ("n", "") + LOSS, 5,
     'layer "r" (ReLU): runs in place over "n" (LRN), whose gradient'),
    (HEAD + IP % ("d", "") + 'layer { name: "ip" type: "ReLU" bottom: "ip" top: "ip" }\n' + LOSS, 4,
     'layer "ip" (ReLU): another layer has this name too'),
    (HEAD + IP % ("d", "propagate_down: true") + LOSS, 2, 'propagate_down: true computes a gradient for the input "d"'),
    (HEAD + IP % ("d", "") + 'layer { name: "r" type: "ReLU" bottom: "ip" top: "ip" propagate_down: false }\n' + LOSS, 4,
     "no bottom gets a gradient"),
    (HEAD + CONV.replace("convolution_param", 'param { name: "a" } param { name: "b" } convolution_param') +
     IP % ("c", "") + LOSS, 2, 'no other layer shares the param "a"'),
    (HEAD + CONV + IP % ("d", "") + LOSS, 2, 'its top "c" is no loss, and no layer reads it'),
    (HEAD + (IP % ("d", "")).replace('weight_filler { type: "xavier" }', "") + LOSS, 2, "has no weight_filler"),
    (HEAD + CONV + 'layer { name: "b" type: "BatchNorm" bottom: "c" top: "b"\nbatch_norm_param { use_global_stats: true } }\n' +
     IP % ("b", "") + LOSS, 5, "in TRAIN it normalises by stored statistics"),
    (HEAD + CONV + 'layer { name: "b" type: "BatchNorm" bottom: "c" top: "b"\nbatch_norm_param { use_global_stats: false } }\n' +
     IP % ("b", "") + LOSS, 5, "in TEST it normalises by each batch's own statistics"),
    (HEAD + IP % ("d", "") + LOSS + (IP % ("d", 'include { phase: TEST }')).replace('"ip"', '"q"'), 5,
     'layer "q" has params in TEST, but is not in the TRAIN net'),
])
def test_each_oddity_is_told_with_its_line(folder, text, line, words):
    assert [w for w in warnings(folder, text) if w.startswith(f"n:{line}: warning: ") and words in w]


def test_caffe_computes_the_gradient_of_a_relu_in_place_over_a_convolution_right(folder):
    text = HEAD + CONV + 'layer { name: "r" type: "ReLU" bottom: "c" top: "c" }\n' + IP % ("c", "") + LOSS
    assert warnings(folder, text) == []
