"""Do all ranks run the same thing? Compares what each says of itself and words the first difference."""
from __future__ import annotations

from collections.abc import Sequence

from caffempi.errors import ExchangeError
from caffempi.plan.params import ParamArena

SHOWN = 24                                                     # characters of a value that an error shows


def layout(arena: ParamArena) -> str:
    """The arena's type, sizes and buckets as text: what must be equal for an exchange to make sense at all."""
    return (f"{arena.dtype}, {arena.data.size} elements, {arena.stat.size} of statistics, {len(arena.hist)} histories, "
            f"buckets at {[hi for _, hi in arena.buckets]}")


def check(digests: Sequence[dict[str, str]], hosts: Sequence[str] = ()) -> None:
    """digests[rank]: name -> text; hosts[rank]: machine.

    Raises ExchangeError that names the first item that differs, the ranks and their values. Called with the same table
    on all ranks, so all of them raise the same error or none does.
    """
    names = list(dict.fromkeys(name for digest in digests for name in digest))
    for name in names:
        groups: dict[str | None, list[int]] = {}
        for rank, digest in enumerate(digests):
            groups.setdefault(digest.get(name), []).append(rank)
        if len(groups) > 1:
            short = _shorten([text for text in groups if text is not None])
            said = ", ".join(f"{ranks_text(ranks, hosts)} {'has' if len(ranks) == 1 else 'have'} "
                             f"{'none' if text is None else short[text]}" for text, ranks in groups.items())
            raise ExchangeError(f"the ranks do not have the same {name}: {said}",
                                fix="start all ranks with the same files, flags and versions")


def ranks_text(ranks: Sequence[int], hosts: Sequence[str] = (), shown: int = 8) -> str:
    """`rank 3`, `ranks 0, 2, 5` or, of many, the first ones and how many more; with hosts where there are several."""
    several = len(set(hosts)) > 1
    text = ", ".join(f"{rank} ({hosts[rank]})" if several else str(rank) for rank in ranks[:shown])
    more = f" and {len(ranks) - shown} more" if len(ranks) > shown else ""
    return f"rank{'s' if len(ranks) > 1 else ''} {text}{more}"


def _shorten(texts: Sequence[str]) -> dict[str, str]:
    """Each text cut to SHOWN characters, starting a little before the first place where they differ if they are
    long."""
    if all(len(text) <= SHOWN for text in texts):
        return {text: text or '""' for text in texts}
    same = 0
    while len({text[same:same + 1] for text in texts}) == 1:
        same += 1
    lo = max(0, same - 8) if same > SHOWN // 2 else 0
    return {text: ("..." if lo else "") + text[lo:lo + SHOWN] + ("..." if len(text) > lo + SHOWN else "")
            for text in texts}
