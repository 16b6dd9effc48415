"""Nets that run: the pycaffe-like surface over a plan and its bindings."""
from caffempi.net.blob import Blob
from caffempi.net.net import TEST, TRAIN, Net

__all__ = ["TEST", "TRAIN", "Blob", "Net"]
