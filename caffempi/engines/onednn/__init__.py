"""The onednn engine: what nets spend their time in, on x86-64 CPUs by oneDNN's C API; numpy runs the rest.

`binding` and `primitives` alone talk to the library, `layouts` says how arrays lie, one file a family of ops makes offers,
`engine` joins them. Implementations that the library itself calls reference code are never taken: they are 20 to 4000 times
slower.
"""
