"""The kernels, one family a pair of files: NAME.cu has the kernels' text, NAME.py says which op starts which of them and how.

A family enters its ops into the table by `rule.rule`. Importing this package imports all families.
"""
from caffempi.registry import import_all

import_all(__name__)
