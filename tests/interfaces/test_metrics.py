"""Figures in the form that Prometheus reads."""

from __future__ import annotations

import re
from pathlib import Path

from tests.interfaces.serving import client, hippo_at

LINE = re.compile(r'^[a-z_]+(\{[a-z_]+="(?:[^"\\\n]|\\.)*"(?:,[a-z_]+="(?:[^"\\\n]|\\.)*")*\})? -?[0-9.e+-]+$')


async def test_every_line_is_one_prometheus_reads(tmp_path: Path) -> None:
    async with hippo_at(tmp_path) as (url, _), client(url) as http:
        await http.post("/api/remember", json={"text": "x"})
        await http.get("/nowhere")
        reply = await http.get("/metrics")
        assert reply.headers["content-type"].startswith("text/plain; version=0.0.4")
        lines = reply.text.splitlines()
        assert all(line.startswith("# ") or LINE.match(line) for line in lines)
        assert 'hippo_memories{tier="hot"} 1' in lines
        assert 'hippo_http_requests_total{status="404"} 1' in lines
        assert "hippo_up 1" in lines
        named = {line.split()[2] for line in lines if line.startswith("# TYPE")}
        assert {re.match("[a-z_]+", line)[0] for line in lines if not line.startswith("#")} <= named  # type: ignore[index]
