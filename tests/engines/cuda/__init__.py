"""The cuda engine without a GPU: what these tests show, and what only a GPU can.

Shown here: every kernel text compiles for GPUs (NVRTC, with an empty log); run on the host by a shim, it gives the numbers
of its op's definition, under random orders of threads and warps, with shared memory that starts as NaN; a barrier that is
missing or not reached by all is found, and in --full a data race or an access outside by sanitizers; the engine's host code
starts kernels with arguments of the exact types, keeps inside its memory, orders its streams by events and can be captured.

Not shown: races that only other shapes or blocks in flight have, and effects of the GPU's memory model; registers, occupancy,
bank conflicts, speed; rounding that differs on a GPU (fused multiply-add, denormals flushed to zero, expf); offsets beyond 2^31
elements (only the host's arithmetic on such sizes is tested); that CuPy behaves as the stand-in does, that streams really
overlap, and driver or device faults.
"""
