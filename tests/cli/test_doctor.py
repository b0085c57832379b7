"""hippo doctor."""

from __future__ import annotations

import os
import socket

import pytest

from hippo.errors import SetupBroken
from tests.cli.commands import Ran, hippo
from tests.providers.fake_openai import FakeOpenAI, Reply

KEYS = {"HIPPO_LLM_KEY": "sk-llm-0123456789", "HIPPO_EMBED_KEY": "sk-embed-0123456789"}


def services(fake: FakeOpenAI) -> dict[str, str]:
    return {"HIPPO_LLM_URL": fake.url, "HIPPO_LLM_MODEL": "tiny", "HIPPO_EMBED_URL": fake.url, "HIPPO_EMBED_MODEL": "small", **KEYS}


def states(ran: Ran) -> dict[str, str]:
    return {row["what"]: row["state"] for row in ran.json["findings"]}


@pytest.fixture
def port():
    """One that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


def test_on_a_machine_that_is_well_everything_works(filled, port):
    ran = hippo("doctor", folder=filled, HIPPO_PORT=port)
    assert ran.code == 0, ran.out
    assert all(line.startswith("✔ ") for line in ran.out.splitlines())
    assert "wordllama, 256 dimensions" in ran.out
    assert "5 memories of 2 agents" in ran.out


def test_it_makes_nothing_where_there_is_no_store(tmp_path, port):
    ran = hippo("doctor", "--json", folder=tmp_path / "none", HIPPO_PORT=port)
    assert ran.code == 0, ran.out
    assert list(tmp_path.iterdir()) == []


def test_a_running_daemon_is_found(served):
    folder, url = served
    ran = hippo("doctor", folder=folder)
    assert ran.code == 0, ran.out
    assert f"answers at {url}" in ran.out


def test_a_port_that_another_program_has_is_broken(filled):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        ran = hippo("doctor", "--json", folder=filled, HIPPO_PORT=str(other.getsockname()[1]))
    assert (ran.code, states(ran)["port"]) == (SetupBroken.exit_code, "broken")


def test_a_folder_that_cannot_be_made_is_broken(port):
    ran = hippo("doctor", "--json", folder="/proc/hippo", HIPPO_PORT=port)  # type: ignore[arg-type]
    assert (ran.code, states(ran)["folder"]) == (SetupBroken.exit_code, "broken")


def test_an_unknown_setting_is_noted_and_breaks_nothing(filled, port):
    ran = hippo("doctor", "--json", folder=filled, HIPPO_PORT=port, HIPPO_PROT="1")
    assert (ran.code, states(ran)["settings"]) == (0, "note")


def test_a_store_that_does_not_open_is_broken(filled, port):
    ran = hippo("doctor", "--json", folder=filled, HIPPO_PORT=port, HIPPO_EMBEDDER="term-frequency")
    assert (ran.code, states(ran)["store"]) == (SetupBroken.exit_code, "broken")


def test_services_that_answer_are_a_line_each_without_their_keys(tmp_path, port):
    with FakeOpenAI(say=lambda asked: '{"verdict": "DUPLICATE"}') as fake:
        ran = hippo("doctor", folder=tmp_path / "none", HIPPO_PORT=port, **services(fake))
    assert ran.code == 0, ran.out
    assert "✔ embedder: service:small, 512 dimensions\n" in ran.out
    assert "✔ language model: tiny answers\n" in ran.out
    assert len(fake.asked) == 2
    assert not any(key in ran.out + ran.err for key in KEYS.values())


def test_services_that_do_not_answer_are_broken_and_say_why(tmp_path, port):
    with FakeOpenAI(*[Reply(401, {"error": {"message": f"bad keys {KEYS}"}})] * 9) as fake:
        ran = hippo("doctor", folder=tmp_path / "none", HIPPO_PORT=port, **services(fake))
    assert ran.code == SetupBroken.exit_code
    for line in ("embedder: service:small", "language model: tiny"):
        assert f"✘ {line}: 127.0.0.1:{fake.port} refused the key with status 401\n" in ran.out
    assert not any(key in ran.out + ran.err for key in KEYS.values())


def test_half_of_a_service_is_noted_and_not_asked(tmp_path, port):
    with FakeOpenAI() as fake:
        ran = hippo("doctor", "--json", folder=tmp_path / "none", HIPPO_PORT=port, HIPPO_LLM_URL=fake.url, HIPPO_EMBED_MODEL="small")
    assert ran.code == 0, ran.out
    assert fake.asked == []
    assert [(row["what"], "only one is set" in row["found"]) for row in ran.json["findings"] if row["state"] == "note"] == [
        ("embedder", True), ("language model", True)]


def test_a_console_of_another_encoding_gets_marks_in_ascii(filled, port):
    ran = hippo("doctor", folder=filled, HIPPO_PORT=port, PYTHONIOENCODING="cp1252", PYTHONUTF8="0")
    assert ran.code == 0, ran.err
    assert all(line.startswith("ok ") for line in ran.out.splitlines())


def test_a_missing_package_is_named(monkeypatch, tmp_path):
    from importlib.metadata import PackageNotFoundError

    from hippo.cli import doctor
    from hippo.cli.options import Seat
    from hippo.settings import load

    def version(name: str) -> str:
        if name == "simsimd":
            raise PackageNotFoundError(name)
        return "1"

    monkeypatch.setattr(doctor, "version", version)
    seat = Seat(load({"dir": tmp_path}, {})[0], None, None, as_json=False)
    assert doctor.Line("broken", "packages", "simsimd missing: install hippo again") in list(doctor._python(seat))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_broken(tmp_path, port):
    tmp_path.chmod(0o500)
    assert states(hippo("doctor", "--json", folder=tmp_path, HIPPO_PORT=port))["folder"] == "broken"
