"""The whole daemon as a child process, with a language model and an embedding service that come and go."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sims.bench.rig import Connection
from tests.cli.commands import environment
from tests.interfaces.awakened import holds
from tests.providers.fake_openai import Asked, FakeOpenAI, Reply

LLM_KEY, EMBED_KEY = "sk-llm-0123456789", "sk-embed-0123456789"
GRAZ, LINZ = "Anna has her home in Graz.", "Anna has her home in Linz."
_SECONDS_MAX = 60


def say(asked: Asked) -> str:
    told = asked.user
    if "text" in told:
        return json.dumps({"claims": [{"text": told["text"]}]})
    return json.dumps({"verdict": "SUPERSEDES"})


@contextmanager
def daemon(folder: Path, log: Path, llm: FakeOpenAI, embed: FakeOpenAI) -> Iterator[Connection]:
    """A daemon that tells all it can into a log; it has to end well when it is asked to."""
    told = environment(
        HIPPO_DIR=str(folder), HIPPO_EMBED_URL=embed.url, HIPPO_EMBED_KEY=EMBED_KEY, HIPPO_EMBED_MODEL="small",
        OPENAI_BASE_URL=llm.url, OPENAI_API_KEY=LLM_KEY, OPENAI_MODEL="tiny")
    with log.open("ab") as said:
        child = subprocess.Popen([sys.executable, "-m", "hippo", "serve", "--port", "0", "--log-level", "debug"],
                                 stderr=said, env=told)
    try:
        end = time.monotonic() + _SECONDS_MAX
        url = None
        while url is None and child.poll() is None and time.monotonic() < end:
            with suppress(OSError, ValueError):
                facts = json.loads((folder / "lock").read_text())
                url = facts.get("url") if facts.get("pid") == child.pid else None
            time.sleep(0.02)
        assert url, log.read_text()
        line = Connection(url)
        try:
            yield line
        finally:
            line.close()
        child.terminate()
        assert child.wait(_SECONDS_MAX) == 0, log.read_text()
    finally:
        child.kill()
        child.wait()


def test_services_come_and_go_and_no_key_is_written_anywhere(tmp_path: Path) -> None:
    store, log = tmp_path / "store", tmp_path / "log"
    answers = []
    with FakeOpenAI(say=say) as llm, FakeOpenAI() as embed:
        with daemon(store, log, llm, embed) as line:
            old = line.rest("/api/facts", {"text": GRAZ})["facts"][0]
            new = line.rest("/api/facts", {"text": LINZ})
            assert (new["by"], new["facts"][0]["replaced"]) == ("tiny", [old["id"]])
            asked = "Where does Anna have her home?"
            found = line.rest("/api/recall", {"cue": asked})
            assert ([row["text"] for row in found["results"]], found["degraded"]) == ([LINZ], False)
            # Both refuse the keys, and quote them.
            for fake, key in ((llm, LLM_KEY), (embed, EMBED_KEY)):
                fake.replies.extend([Reply(401, {"error": {"message": f"Incorrect API key: {key}"}})] * 100)
            refused = line.rest("/api/facts", {"text": "I live in Berlin."})
            assert refused["by"] == "rules"
            assert "refused the key with status 401" in refused["note"]
            found = line.rest("/api/recall", {"cue": asked})
            assert (found["results"][0]["text"], found["degraded"]) == (LINZ, True)
            assert "refused the key with status 401" in found["note"]
            answers += [new, refused, found, line.rest("/api/stats")]
            line.rest("/api/sleep", {})
        assert {one.headers["authorization"] for one in llm.asked} == {f"Bearer {LLM_KEY}"}
        assert {one.headers["authorization"] for one in embed.asked} == {f"Bearer {EMBED_KEY}"}
    with daemon(store, log, llm, embed) as line:  # neither answers any more
        found = line.rest("/api/recall", {"cue": asked})
        assert (found["results"][0]["text"], found["degraded"]) == (LINZ, True)
        kept = line.rest("/api/remember", {"text": "Ben repairs old bicycles."})
        assert (kept["action"], "found by its words" in kept["note"]) == ("stored", True)
        answers += [found, kept]
    told = log.read_text()
    assert "Traceback" not in told
    assert "Warning" not in told.replace("WARNING", "")
    assert "The embedder failed" in told
    for key in (LLM_KEY, EMBED_KEY):
        assert key not in told
        assert key not in json.dumps(answers)
        assert holds(store, key) == []
