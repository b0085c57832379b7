"""Simulations: seeded people, a faulty disk, one-seed runs of the whole daemon, benchmarks."""

from hippo.runtime.worker import one_thread

one_thread()
