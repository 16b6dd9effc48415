"""The cuda engine: hand-written CUDA C++ kernels, compiled for the machine's GPU and started through CuPy.

`kernels` says which kernel runs a call and how it is started, `modules` compiles the .cu files, `engine` binds them.
CuPy is imported when an engine is made, never before. The dialect of the kernel texts is declared in device.h.
"""
