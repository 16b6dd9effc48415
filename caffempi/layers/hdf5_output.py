"""HDF5Output: writes what a net computes to a file."""
from __future__ import annotations

from caffempi.errors import NetError
from caffempi.layers.base import LAYERS, Layer, LayerBuilder
from caffempi.ops.graph import Value
from caffempi.ops.store import StoreAttrs


@LAYERS.register("HDF5Output")
class HDF5Output(Layer):
    """hdf5_output_param: file_name, relative to the working directory.

    Each forward run adds its first bottom to the dataset "data" of the file, its second to "label", along the first axis
    (Caffe's own layer fails in the second run). As in Caffe, blobs of fewer than four axes are written with four. The file
    appears, whole, when the net is closed; until then it has ".part" at the end of its name. One of that name is replaced.
    On several ranks, rank 0 writes file_name and rank r beside it, with ".rank<r>" before the ending.
    """

    bottoms, tops = (2, 2), (0, 0)
    param = "hdf5_output_param"

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One store op. Raises NetError without a file name, or where the file is another layer's."""
        if not self.p.file_name:
            raise NetError("is missing", field="hdf5_output_param.file_name", fix="name the file to be written")
        if "hdf5_output" not in self.ctx.extra:
            raise NetError("the net is built where nothing can be written", fix="build it as a caffempi.Net")
        try:
            write = self.ctx.extra["hdf5_output"](self.p.file_name)
        except NetError as e:
            raise e.at(field="hdf5_output_param.file_name", value=self.p.file_name) from None
        return g.emit("store", StoreAttrs(self.p.file_name, write), bottoms)
