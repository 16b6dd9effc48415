"""The parts of tools/bench.py: caffempi timed against PyTorch and BVLC Caffe, and against what the machine can do."""
