"""The cuda engine: hand-written CUDA C++ kernels, compiled for the machine's GPU and started through CuPy.

`rules` has the kernels by family: the text of each and the op that starts it; `rule` says what such an entry is, `kernels`
is the table of all. `modules` compiles the .cu files, `bound` binds kernels to arrays, `engine` offers them to the plan.
CuPy is imported when an engine is made, never before. The dialect of the kernel texts is declared in device.h; they include
vector.h for element-wise loops and reduce.h for sums over blocks.
"""
