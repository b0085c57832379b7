"""Figures for Prometheus, in its text format: one row per figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hippo.model.health import Health
from hippo.model.report import Stats

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

Sample = tuple[Mapping[str, str], float]


def exposition(stats: Stats, health: Health, answered: Mapping[int, int], seconds: float, streams: int) -> str:
    """All figures.

    Args:
        stats: of the store.
        health: of the daemon.
        answered: how many requests were answered with which status.
        seconds: how long all of them took together.
        streams: how many event streams are open.
    """
    bytes_of = {part: float(getattr(stats, f"{part}_bytes"))
                for part in ("content", "dictionary", "index", "journal", "parity", "cache", "log")}
    figures: list[tuple[str, str, str, Iterable[Sample]]] = [
        ("hippo_up", "gauge", "1 while the daemon can remember", [({}, float(health.status == "ok"))]),
        ("hippo_writable", "gauge", "1 while the store can be written", [({}, float(health.writable))]),
        ("hippo_uptime_seconds", "gauge", "Since the daemon started", [({}, health.uptime_s)]),
        ("hippo_build", "gauge", "Always 1; its labels say what runs",
         [({"version": stats.version, "embedder": stats.embedder}, 1.0)]),
        ("hippo_memories", "gauge", "Memories by tier",
         [({"tier": tier}, float(row.count)) for tier, row in stats.tiers.items()]),
        ("hippo_tier_raw_bytes", "gauge", "Bytes of text by tier",
         [({"tier": tier}, float(row.raw_bytes)) for tier, row in stats.tiers.items()]),
        ("hippo_tier_stored_bytes", "gauge", "Bytes on disk by tier",
         [({"tier": tier}, float(row.stored_bytes)) for tier, row in stats.tiers.items()]),
        ("hippo_agents", "gauge", "Agents", [({}, float(stats.agents))]),
        ("hippo_associations", "gauge", "Associations", [({}, float(stats.associations))]),
        ("hippo_bytes", "gauge", "Bytes on disk by part", [({"part": part}, size) for part, size in bytes_of.items()]),
        ("hippo_over_budget", "gauge", "1 while the store is over its budget", [({}, float(stats.over_budget))]),
        ("hippo_unrecoverable", "gauge", "Memories that cannot be reconstructed", [({}, float(stats.unrecoverable))]),
        ("hippo_http_requests_total", "counter", "Requests by status",
         [({"status": str(status)}, float(count)) for status, count in sorted(answered.items())]),
        ("hippo_http_seconds_total", "counter", "Time spent on all of them", [({}, seconds)]),
        ("hippo_event_streams", "gauge", "Open event streams", [({}, float(streams))]),
    ]
    lines: list[str] = []
    for name, kind, meaning, samples in figures:
        lines += [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"]
        lines += [f"{name}{_labels(labels)} {value:.15g}" for labels, value in samples]
    return "\n".join(lines) + "\n"


def _labels(labels: Mapping[str, str]) -> str:
    def escaped(value: str) -> str:
        return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")

    return "{" + ",".join(f'{name}="{escaped(value)}"' for name, value in labels.items()) + "}" if labels else ""
