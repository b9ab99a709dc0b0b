"""The built-in skills are in order by our rules and by the standard's, and their scripts run alone."""

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from skills_ref import validate

from dataagent_core.models.embeddings.local.wordllama_embedder import WordLlamaEmbedder
from dataagent_core.permissions.foreign_tools import OWN_TOOLS
from dataagent_core.skills import SkillScope, built_in_folder, load_folder, load_skill
from dataagent_core.skills.match import SkillMatcher

FOUND = load_folder(built_in_folder(), SkillScope.SYSTEM)
HAN = re.compile(r"[\u4e00-\u9fff]")
# Words in back-ticks that look like tools and are none: fields, formats, SQL.
NOT_TOOLS = {
    "compare_digest", "created_at", "date_trunc", "display_name", "member_count", "percentile_cont",
    "quantile_cont", "requires_tools", "rows_max", "safe_load", "session_id", "trigger_patterns",
    "trigger_type", "valid_from", "valid_to", "always_offered", "innerHTML", "should_not",
}  # fmt: skip


@pytest.mark.requirement("S2-8.4.7")
@pytest.mark.requirement("S2-8.1")
def test_the_seven_are_there_with_all_their_fields_and_without_a_warning():
    assert [skill.name for skill in FOUND.skills] == [
        "code-review",
        "data-analysis",
        "doc-coauthoring",
        "incident-triage",
        "memory-graph-querying",
        "report-writing",
        "skill-writing",
    ]
    assert FOUND.problems == ()
    for skill in FOUND.skills:
        assert skill.is_system_skill
        assert skill.display_name
        assert skill.summary
        assert skill.category != "general"
        assert skill.tags
        assert any(HAN.search(phrase) for phrase in skill.trigger.phrases)
        assert any(not HAN.search(phrase) for phrase in skill.trigger.phrases)


@pytest.mark.requirement("S2-D.7.1")
def test_the_standards_own_validator_passes_them():
    assert {skill.name: validate(built_in_folder() / skill.name) for skill in FOUND.skills} == {
        skill.name: [] for skill in FOUND.skills
    }


def test_each_has_evals_in_two_languages():
    for skill in FOUND.skills:
        path = built_in_folder() / skill.name / "evals/evals.json"
        evals: dict[str, list[str]] = json.loads(path.read_text(encoding="utf-8"))
        assert evals.keys() == {"should", "should_not"}
        for prompts in evals.values():
            assert len(set(prompts)) == len(prompts) >= 6
            chinese = sum(bool(HAN.search(prompt)) for prompt in prompts)
            assert 3 <= chinese <= len(prompts) - 3


def test_the_tools_they_name_exist():
    named = {
        (path.parent.name, word)
        for path in built_in_folder().rglob("*.md")
        for word in re.findall(r"`([a-z]+_[a-z_]+)`", path.read_text(encoding="utf-8"))
    }
    assert {pair for pair in named if pair[1] not in OWN_TOOLS | NOT_TOOLS} == set()


async def test_a_message_that_wants_two_things_fires_both():
    matcher = SkillMatcher(FOUND.skills, WordLlamaEmbedder())
    wanted = {
        "review my code and then write a report about it": {"code-review", "report-writing"},
        "排查线上故障,然后写一份报告": {"incident-triage", "report-writing"},
        "统计各地区销售额并生成月报": {"data-analysis", "report-writing"},
    }
    fired = {text: {one.skill.name for one in await matcher.match(text)} for text in wanted}
    assert fired == wanted


# Of other people, in packages that the lock file pins.
PACKAGES = Path(pytest.__file__).parents[1]
OF_OTHERS = sorted(
    path.parent
    for place in (
        "fastapi/.agents/skills",
        "playwright/driver/package/lib/tools/skills",
        "streamlit/.agents/skills",
        "streamlit/.agents/meta-skill",
    )
    for path in (PACKAGES / place).glob("*/SKILL.md")
)


def test_skills_inside_the_packages_of_others_are_accepted_by_us_and_by_the_validator():
    assert len(OF_OTHERS) >= 6
    for folder in OF_OTHERS:
        assert validate(folder) == []
        read = load_skill(folder)
        assert read.is_usable, read.problems
        assert read.skill is not None
        assert read.skill.name == folder.name


def run_script(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a script with the standard library alone."""
    path = built_in_folder() / script
    return subprocess.run(
        [sys.executable, "-I", "-S", str(path), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_script_that_checks_a_skill_says_what_is_wrong(tmp_path: Path):
    script = "skill-writing/scripts/check_skill.py"
    good = run_script(script, str(built_in_folder() / "skill-writing"))
    assert (good.returncode, good.stdout) == (0, "The skill is in order.\n")
    folder = tmp_path / "a"
    (folder / "evals").mkdir(parents=True)
    (folder / "evals/evals.json").write_text("[]")
    (folder / "SKILL.md").write_text(
        "---\nname: B\ndescription: >\n  x < y\ntags: [a]\n---\n[l](references/gone.md)"
        + "\nx" * 500
    )
    found = run_script(script, str(folder), "--json")
    assert found.returncode == 1
    said = json.loads(found.stdout)
    assert [one.split(":")[0] for one in said["errors"]] == [
        "name 'B'",
        "description has < or >",
        "the text refers to references/gone.md, which is not there",
        'evals/evals.json is not {"should"',
    ]
    assert [one.split(":")[0] for one in said["warnings"]] == [
        "SKILL.md has 507 lines",
        "description is very short",
        "move tags into metadata",
    ]


def test_the_script_that_summarises_a_log_shows_what_is_new_first(tmp_path: Path):
    log = tmp_path / "app.log"
    lines = [
        *(f"2026-01-31 13:{n:02}:00 INFO served request {n} in {n}ms" for n in range(30)),
        "2026-01-31 14:02:10 ERROR no connection to 10.0.0.7:5432 for 'orders'",
        '{"time": "2026-01-31T14:03:00", "level": "error", "message": "no pool left: 12 of 12"}',
        "2026-01-31 14:03:11 ERROR no connection to 10.0.0.9:5432 for 'users'",
        "  at frame 7",
    ]
    log.write_text("\n".join(lines))
    done = run_script(
        "incident-triage/scripts/summarise_log.py", str(log), "--since", "2026-01-31T14:00"
    )
    shown = done.stdout.splitlines()
    assert shown[0] == "34 lines, 4 shapes"
    assert shown[1] == "levels: INFO 30, ERROR 3, (no level) 1"
    assert (
        shown[2] == "first error: 2026-01-31T14:02   worst minute: 2026-01-31T14:03 with 2 errors"
    )
    assert "NEW 2026-01-31 14:02:10 ERROR no connection" in shown[5]
    assert shown[5].split()[:3] == ["2", "0", "ERROR"]
    assert "NEW no pool left" in shown[6]
    assert shown[8].split()[:3] == ["30", "30", "INFO"]
    missing = run_script("incident-triage/scripts/summarise_log.py", str(tmp_path / "no"))
    assert missing.returncode == 2
    assert "cannot be read: No such file" in missing.stderr


ODD_LOGS = {
    "empty": b"",
    "bytes": bytes(range(256)) * 100,
    "half a character": b'{"message": "\\ud800 x"}',
    "deep": b'{"a":' + b"[" * 1_990,
    "no object": b"[1, 2]\n{}\nnull\n",
    "odd fields": b'{"message": ["a"], "level": 30, "time": [1]}\n{"msg": true, "level": {}}\n',
    "no calendar": b"2024-13-45T99:99:99+99:99 ERROR a\n0001-01-01T00:00+10:00 ERROR b\n",
    "line breaks": b'{"message": "a\\nb\\u001b[31m"}\r\nc\rd\n',
    "long line": b"x" * 5_000_000 + b"\nERROR y\n",
    "utf-16": "ERROR x\n".encode("utf-16"),
    "packed and cut off": gzip.compress(b"ERROR x\n" * 10_000)[:-9],
    "packed and damaged": gzip.compress(b"ERROR x\n")[:12] + b"\xff" * 20,
}


@pytest.mark.parametrize("name", ODD_LOGS)
@pytest.mark.parametrize("locale", ["C", "en_US.UTF-8"])
def test_the_script_that_summarises_a_log_reads_any_bytes(
    name: str, locale: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("LC_ALL", locale)
    log = tmp_path / "log"
    log.write_bytes(ODD_LOGS[name])
    done = run_script("incident-triage/scripts/summarise_log.py", str(log), "--since", "2024-01-01")
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    # Each shape has one line.
    shapes = int(done.stdout.split(" lines, ")[1].split()[0])
    assert len(done.stdout.splitlines()) - shapes in {4, 5}
    assert ("is damaged" in done.stderr) == name.startswith("packed")


def test_times_of_several_zones_are_summarised_in_utc(tmp_path: Path):
    log = tmp_path / "log"
    log.write_text(
        "2024-01-01T12:00:30.5+02:00 ERROR a\n2024-01-01 10:00:10Z ERROR b\n"
        '{"time": 1704103205, "level": "error", "message": "c"}\n2024-01-01T04:59:00-0500 ERROR d\n'
    )
    script = "incident-triage/scripts/summarise_log.py"
    done = run_script(script, str(log), "--since", "2024-01-01T11:00+01:00")
    lines = done.stdout.splitlines()
    assert (
        lines[2] == "first error: 2024-01-01T09:59   worst minute: 2024-01-01T10:00 with 3 errors"
    )
    assert [line.split()[1] for line in lines[5:]] == ["0", "0", "0", "1"]
    wrong = run_script(script, str(log), "--since", "yesterday")
    assert wrong.returncode == 2
    assert "--since 'yesterday' is not a time" in wrong.stderr
