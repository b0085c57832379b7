"""Simulations: seeded people, a faulty disk, one-seed runs of the whole daemon, benchmarks."""
