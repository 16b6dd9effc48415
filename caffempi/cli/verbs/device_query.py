"""`caffempi device_query`: what this machine computes with."""
from __future__ import annotations

from argparse import Namespace

from caffempi.cli.verb import VERBS, Verb


@VERBS.register("device_query")
class DeviceQuery(Verb):
    """Prints the CPU, the engines with the reason of each that does not work here, and the versions of the libraries.

    Where there are GPUs: the driver and each GPU; CuPy, NVRTC, cuBLAS, cuDNN with its frontend, and NCCL, with what a
    missing one costs.
    """

    summary = "prints what this machine computes with"
    flags = ("gpu",)

    def run(self, args: Namespace) -> int:
        """0; with -gpu, an error where that GPU cannot be used."""
        from caffempi.cli import machine
        from caffempi.cli.device import choose_engine
        from caffempi.cli.log import say
        if args.gpu:
            choose_engine(Namespace(gpu=args.gpu, cpu=False, engine=None))
        for line in machine.describe():
            say(line)
        return 0
