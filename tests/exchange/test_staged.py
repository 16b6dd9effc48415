"""The route over memory of the host: one operation a bucket, behind its event, on the bucket's slice of the arena."""
from caffempi.engines.base import Engine
from caffempi.exchange.staged import Staged
from caffempi.exchange.worker import Job
from tests.exchange.arenas import arena


class Recorder:
    """A worker that keeps what it is asked for."""

    def __init__(self):
        self.asked = []

    def submit(self, what, steps, event):
        self.asked.append((what, steps, event, Job(what, steps, event)))
        return self.asked[-1][-1]


class One:
    """A link of one rank."""

    rank, size = 0, 1

    def gather(self, row, table):
        table[0] = row


def test_each_bucket_is_an_operation_that_leaves_the_mean_in_the_arena():
    net, worker = arena([300, 300, 5], first=1 << 10, bucket=1 << 10), Recorder()
    net.grad[...] = range(net.size)
    route, event = Staged(worker, net), Engine().event()
    for _ in range(2):                                          # the second iteration uses the same bridges
        route.begin()
        for bucket in range(len(net.buckets)):
            route.send(bucket, f"bucket {bucket}", event)
        for bucket, (what, steps, given, job) in enumerate(worker.asked):
            assert what == f"bucket {bucket}" and given is event
            for _ in steps(One()):
                pass
            job.finish()
            route.wait(bucket)
        assert net.grad.tolist() == list(range(net.size)) and len(worker.asked) == len(net.buckets) > 1
        worker.asked.clear()
