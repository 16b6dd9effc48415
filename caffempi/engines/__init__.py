"""Engines: kernels for one kind of device each (see `base.Engine`). `choose` finds the one to use."""
