"""The onednn engine: convolution, pooling, inner product and ReLU on x86-64 CPUs by oneDNN's C API; numpy runs the rest.

`binding` alone talks to the library, `layouts` says how arrays lie, one file a family of ops makes offers, `engine` joins
them. Implementations that the library itself calls reference code are never taken: they are 20 to 4000 times slower.
"""
