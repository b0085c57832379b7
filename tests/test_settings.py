"""Settings: where values come from, what is accepted, and what is said about the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from hippo.errors import BadSetting
from hippo.readings import is_loopback
from hippo.settings import SETTINGS, Settings, describe, load


def read(tmp_path: Path, flags: dict[str, object] | None = None, **environ: str) -> Settings:
    return load({"dir": str(tmp_path), **(flags or {})}, environ)[0]


def warnings(tmp_path: Path, **environ: str) -> list[str]:
    return load({"dir": str(tmp_path)}, environ)[1]


def test_without_anything_set_the_defaults_hold(tmp_path):
    settings = read(tmp_path)
    assert (settings.host, settings.port, settings.tools, settings.epoch) == ("127.0.0.1", 3000, "standard", None)
    assert settings == Settings(dir=tmp_path)


def test_the_folder_of_a_person_is_below_their_home(monkeypatch):
    monkeypatch.setenv("HOME", "/home/anna")
    assert load({}, {})[0].dir == Path("/home/anna/.local/share/hippo")


def test_a_flag_wins_over_the_environment_and_that_over_the_file(tmp_path):
    (tmp_path / "hippo.toml").write_text("port = 1\nsleep_hour = 1\nlog_level = 'debug'\n")
    settings = read(tmp_path, {"port": "3"}, HIPPO_PORT="2", HIPPO_SLEEP_HOUR="2")
    assert (settings.port, settings.sleep_hour, settings.log_level) == (3, 2, "debug")


def test_a_table_of_the_file_is_a_prefix(tmp_path):
    (tmp_path / "hippo.toml").write_text("[sleep]\nhour = 5\nenabled = false\ninterval = '6h'\n")
    settings = read(tmp_path)
    assert (settings.sleep_hour, settings.sleep_enabled, settings.sleep_interval) == (5, False, 21_600.0)


def test_lists_come_as_lists_from_the_file_and_with_commas_from_the_environment(tmp_path):
    (tmp_path / "hippo.toml").write_text("allowed_hosts = ['brain.localhost', '127.0.0.1:80']\n")
    settings = read(tmp_path, HIPPO_CORS_ORIGINS="https://one.example/, https://two.example")
    assert settings.allowed_hosts == ("brain.localhost", "127.0.0.1:80")
    assert settings.cors_origins == ("https://one.example", "https://two.example")


def test_a_blank_value_in_the_environment_counts_as_unset(tmp_path):
    assert read(tmp_path, HIPPO_PORT="  ", PORT="4000").port == 4000


@pytest.mark.parametrize(("variable", "value", "name", "expected"), [
    ("PORT", "8080", "port", 8080),
    ("HOST", "127.0.0.2", "host", "127.0.0.2"),
    ("MEMORY_BUDGET_BYTES", "1000", "budget_bytes", 1000),
    ("DEMO_EPOCH", "1700000000000", "epoch", 1_700_000_000_000),
    ("HIPPO_TRANSPORT", "streamable-http", "transport", "http"),
])
def test_other_names_are_understood(tmp_path, variable, value, name, expected):
    settings, said = load({"dir": str(tmp_path)}, {variable: value})
    assert getattr(settings, name) == expected
    assert said == []


@pytest.mark.parametrize("variable", ["MEMORY_DIR", "HIPPO_DB", "HIPPO_DB_PATH"])
def test_the_folder_has_other_names_too(tmp_path, variable):
    assert load({}, {variable: str(tmp_path)})[0].dir == tmp_path


def test_its_own_name_wins_over_another_one(tmp_path):
    assert read(tmp_path, HIPPO_PORT="1", PORT="2").port == 1


def test_a_machine_name_that_the_shell_keeps_in_host_is_not_meant_for_us(tmp_path):
    assert read(tmp_path, HOST="x86_64-conda-linux-gnu").host == "127.0.0.1"


@pytest.mark.parametrize(("variable", "value"), [
    ("HIPPO_PORT", "70000"), ("HIPPO_PORT", "http"), ("HIPPO_TOOLS", "most"), ("HIPPO_RETENTION_WEIGHT", "0.6"),
    ("HIPPO_RETENTION_WEIGHT", "nan"), ("HIPPO_BUDGET_BYTES", "0"), ("HIPPO_SLEEP_HOUR", "24"),
    ("HIPPO_SLEEP_INTERVAL", "6x"), ("HIPPO_SLEEP_INTERVAL", "-1"), ("HIPPO_SLEEP_INTERVAL", "inf"),
    ("HIPPO_TZ", "Mars/Olympus"), ("HIPPO_TZ", "../etc/passwd"), ("HIPPO_EPOCH", "yesterday"), ("HIPPO_DEMO", "maybe"),
    ("HIPPO_CORS_ORIGINS", "claude.ai"), ("HIPPO_LOG_LEVEL", "loud"), ("HIPPO_EMBEDDER", "magic"), ("PORT", "x"),
])
def test_a_value_that_cannot_be_used_is_refused_by_the_name_it_came_under(tmp_path, variable, value):
    with pytest.raises(BadSetting) as refused:
        read(tmp_path, **{variable: value})
    assert variable in refused.value.message
    assert "it takes" in refused.value.message


@pytest.mark.parametrize(("written", "seconds"), [("90", 90), ("30m", 1800), ("6h", 21_600), ("1d", 86_400), ("5s", 5)])
def test_a_duration_is_seconds_or_has_a_unit(tmp_path, written, seconds):
    assert read(tmp_path, HIPPO_SLEEP_INTERVAL=written).sleep_interval == seconds


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "brain.example.com", "", "localhost.example.com"])
def test_an_address_that_others_could_reach_is_refused_and_says_why(tmp_path, host):
    with pytest.raises(BadSetting, match="no login yet"):
        read(tmp_path, {"host": host})


def test_a_host_name_of_another_machine_is_refused_among_the_allowed_ones(tmp_path):
    with pytest.raises(BadSetting, match="no login yet"):
        read(tmp_path, HIPPO_ALLOWED_HOSTS="localhost,brain.example.com")


@pytest.mark.parametrize(("host", "local"), [
    ("127.0.0.1", True), ("127.8.8.8:3000", True), ("localhost", True), ("LOCALHOST:80", True), ("::1", True),
    ("[::1]:3000", True), ("a.localhost", True), ("10.0.0.1", False), ("localhost.example.com", False), ("", False),
])
def test_only_names_that_mean_this_machine_are_loopback(host, local):
    assert is_loopback(host) is local


def test_an_unknown_name_is_a_warning_with_the_nearest(tmp_path):
    assert warnings(tmp_path, HIPPO_PROT="1") == [
        "HIPPO_PROT is not a setting of this release. Did you mean HIPPO_PORT?"]
    assert warnings(tmp_path, HIPPO_XYZZY_PLUGH="1") == ["HIPPO_XYZZY_PLUGH is not a setting of this release."]


def test_an_unknown_key_of_the_file_is_a_warning_with_the_nearest(tmp_path):
    (tmp_path / "hippo.toml").write_text("[sleep]\nhours = 3\n")
    assert warnings(tmp_path) == ["sleep_hours in hippo.toml is not a setting of this release. "
                                  "Did you mean sleep_hour?"]


def test_names_of_other_programs_are_none_of_our_business(tmp_path):
    assert warnings(tmp_path, PATH="/bin", EDITOR="ed") == []


@pytest.mark.parametrize("content", [b"port = ", b"\xff\xfe", b"port = [1]\n"])
def test_a_file_that_cannot_be_read_is_named(tmp_path, content):
    (tmp_path / "hippo.toml").write_bytes(content)
    with pytest.raises(BadSetting, match=r"hippo\.toml"):
        read(tmp_path)


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "memories.db").touch()
    with pytest.raises(BadSetting, match="a folder"):
        load({}, {"HIPPO_DB": str(tmp_path / "memories.db")})


def test_internal_settings_come_from_flags_only(tmp_path):
    assert read(tmp_path, {"idle_exit_seconds": "60"}).idle_exit_seconds == 60
    settings, said = load({"dir": str(tmp_path)}, {"HIPPO_IDLE_EXIT_SECONDS": "60"})
    assert settings.idle_exit_seconds is None
    assert len(said) == 1


def test_the_zone_is_the_named_one_else_the_host_s(tmp_path, monkeypatch):
    from datetime import datetime, timedelta

    assert str(read(tmp_path, HIPPO_TZ="Asia/Tokyo").zone) == "Asia/Tokyo"
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    assert datetime(2026, 1, 1, tzinfo=read(tmp_path).zone).utcoffset() == timedelta(hours=5, minutes=45)


def test_every_setting_is_described_in_words():
    rows = describe()
    assert [row.name for row in rows] == [row.name for row in SETTINGS if not row.internal]
    assert all(row.accepts and row.default and row.meaning.endswith(".") for row in rows)
