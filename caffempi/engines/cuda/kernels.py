"""The table op -> kernels, filled by the families in `rules`, and what is asked of it: files, instances, jobs."""
from __future__ import annotations

from functools import cache

import caffempi.engines.cuda.rules  # noqa: F401 (fills the table)
from caffempi.engines.base import Call
from caffempi.engines.cuda.chains import key_of
from caffempi.engines.cuda.rule import EXTRA, RULES, TYPES, Form, Job


@cache
def files() -> tuple[str, ...]:
    """The kernel files that the table uses."""
    return tuple(sorted({*EXTRA, *(rule.file for _, rule in RULES.items() if rule.names)}))


@cache
def expressions(file: str, dtype: str) -> tuple[str, ...]:
    """All name expressions of a file for a storage dtype."""
    names = [*EXTRA.get(file, ()), *(name for _, r in RULES.items() if r.file == file for name in r.names)]
    return tuple(dict.fromkeys(name.replace("{T}", TYPES[dtype]) for name in names))


def plan_job(call: Call, form: Form) -> Job:
    """How the call's kernels are started; no launches where there is nothing to write."""
    rule = RULES.get(key_of(call))
    job = Job(rule.file)
    if any(s.count for s in [*call.outs, *call.saved, *call.state]):
        rule.plan(job, call, form)
    return job
