"""Exchange: the only package that imports mpi4py. It turns N processes into one solver.

launch        alone or one of many? makes the exchange that fits
mpi           MpiExchange, the synchronous mean over ranks behind the solver's protocol
staged        gradients by way of the host's memory
direct        gradients from device to device
meeting       which of the two, agreed on by all ranks
worker        the exchange thread: all MPI calls of a process, in the order in which they were asked for
collectives   ring mean, gather, broadcast, written as steps between which the thread may do other things
link          the MPI calls themselves
agree         do all ranks run the same thing?
watch         what devices do among themselves, and how long
ending        how ranks that fail agree on one message and leave together
stall         what is said about a wait that takes too long
guard         `together`: exceptions of one rank become the end of all
"""
