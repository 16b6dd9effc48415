"""The exchange that fits this process: mpi4py is imported only where there are other ranks."""
from __future__ import annotations

from collections.abc import Mapping

from caffempi.errors import ExchangeError
from caffempi.exchange.stall import Limits
from caffempi.place import place
from caffempi.solver.exchange import Exchange, LocalExchange


def make_exchange(env: Mapping[str, str] | None = None, *, stall_warning: float = Limits.warning,
                  stall_abort: float = Limits.abort) -> Exchange:
    """The exchange of this process: LocalExchange where it is alone, else MpiExchange (then a collective call).

    Raises ExchangeError where there are other ranks but mpi4py is missing, or mpirun and mpi4py are of two MPIs.
    """
    here = place(env)
    if here.size == 1:
        return LocalExchange()
    from caffempi.exchange.mpi import MpiExchange
    try:
        exchange = MpiExchange(stall_warning, stall_abort)
    except ExchangeError as error:
        raise error.at(where=f"rank {here.rank} of {here.size or 'several'} on {here.host}") from None
    if here.size and exchange.size != here.size:
        exchange.close()
        raise ExchangeError(f"the launcher started {here.size} processes, but MPI sees {exchange.size}",
                            fix="use the mpirun of the MPI that mpi4py uses (python -m mpi4py --mpi-library names it)")
    return exchange
