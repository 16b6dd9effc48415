#!/usr/bin/env python3
"""Generates caffempi/proto/caffe_pb2.py and .pyi from proto/caffempi.proto (needs grpcio-tools).

Two things of protoc's output are changed. The check that the running protobuf is as new as the compiler's is left out,
since the rest of the text works from protobuf 5.26 on. And the messages enter a pool of their own: in protobuf's
default pool they would collide with another program's messages of the same names (pycaffe's) in one process.
"""
from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def generate(out: Path) -> list[Path]:
    """Writes caffe_pb2.py and caffe_pb2.pyi into the folder `out`; returns their paths. Exits where protoc fails."""
    from grpc_tools import protoc

    with tempfile.TemporaryDirectory() as made:
        status = protoc.main(["protoc", f"-I{ROOT / 'proto'}", f"--python_out={made}", f"--pyi_out={made}",
                              "caffempi.proto"])
        if status:
            sys.exit(f"protoc failed with status {status}")
        code = (Path(made) / "caffempi_pb2.py").read_text()
        types = (Path(made) / "caffempi_pb2.pyi").read_text()
    code = re.sub(r"from google\.protobuf import runtime_version.*\n", "", code)
    code = re.sub(r"_runtime_version\.ValidateProtobufRuntimeVersion\([^)]*\)\n", "", code)
    code = code.replace("_descriptor_pool.Default()", "_descriptor_pool.DescriptorPool()")
    code = code.replace("'caffempi_pb2'", "'caffempi.proto.caffe_pb2'")
    types = types.replace(", **kwargs)", ", **kwargs: object)")  # stands for fields named as Python's keywords
    paths = [out / "caffe_pb2.py", out / "caffe_pb2.pyi"]
    for path, text in zip(paths, (code, types), strict=True):
        path.write_text(text)
    return paths


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="generate caffempi/proto/caffe_pb2.py and .pyi")
    parser.add_argument("--out", type=Path, default=ROOT / "caffempi" / "proto", help="folder to write to")
    for path in generate(parser.parse_args().out):
        print(path)


if __name__ == "__main__":
    main()
