"""Layers: what each Caffe layer type means, put as ops into a graph. Importing this package fills the table
`LAYERS`, also with what installed packages add."""
from caffempi.layers.base import LAYERS, BuildContext, Layer
from caffempi.layers.plugins import load_installed
from caffempi.registry import import_all

__all__ = ["LAYERS", "BuildContext", "Layer"]

import_all(__name__)
load_installed()
