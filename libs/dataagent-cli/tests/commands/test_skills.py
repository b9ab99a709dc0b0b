"""`dataagent skills` and `dataagent agents`: in the folder of the person or of the project."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

Run = Callable[..., subprocess.CompletedProcess[bytes]]
DOCS = Path(__file__).parents[4] / "docs"


def test_a_skill_is_made_checked_listed_and_removed(dataagent: Run, workspace: Path):
    made = dataagent("skills", "new", "tidy-up", "--description", "Tidies rooms.", "--project")
    assert made.returncode == 0, made.stderr.decode()
    file = workspace / ".dataagent/skills/tidy-up/SKILL.md"
    assert file.is_file()
    assert dataagent("skills", "validate", "tidy-up").returncode == 0
    listed = {one["name"]: one for one in json.loads(dataagent("skills", "list", "--json").stdout)}
    assert (listed["tidy-up"]["scope"], listed["code-review"]["scope"]) == ("project", "system")
    shown = json.loads(dataagent("skills", "show", "tidy-up", "--json").stdout)
    assert shown["description"] == "Tidies rooms."
    file.write_text(file.read_text().replace("name: tidy-up", "name: [tidy-up"))
    broken = dataagent("skills", "validate", str(file.parent))
    assert broken.returncode == 1
    assert "SKILL.md:" in broken.stderr.decode()
    shown = dataagent("skills", "show", "tidy-up").stderr.decode()
    assert f"{file}:" in shown
    assert "until its file is corrected" in shown
    assert dataagent("skills", "remove", "tidy-up", "--project").returncode == 0
    assert not file.exists()


def test_the_example_of_the_documents_fires_when_it_should(dataagent: Run, workspace: Path):
    page = (DOCS / "skills.md").read_text(encoding="utf-8")
    texts = {kind: page.split(f"```{kind}\n")[1].split("```")[0] for kind in ("markdown", "json")}
    folder = workspace / ".dataagent/skills/shift-handover"
    assert dataagent("skills", "new", folder.name, "--project").returncode == 0
    (folder / "SKILL.md").write_text(texts["markdown"], encoding="utf-8")
    (folder / "evals/evals.json").write_text(texts["json"], encoding="utf-8")
    valid = dataagent("skills", "validate", folder.name)
    assert (valid.returncode, valid.stderr) == (0, b"")
    told = json.loads(dataagent("skills", "test", folder.name, "--json").stdout)
    assert (told["recall"], told["precision"], told["prompts"]) == (1, 1, 3)


def test_a_folder_is_installed_and_never_overwritten_unasked(dataagent: Run, workspace: Path):
    dataagent("skills", "new", "tidy-up", "--project")
    folder = workspace / ".dataagent/skills/tidy-up"
    for more, code in (((), 0), ((), 1), (("--replace",), 0)):
        done = dataagent("skills", "install", str(folder), *more)
        assert done.returncode == code, done.stderr.decode()
    states = [
        (one["scope"], one["is_overridden"])
        for one in json.loads(dataagent("skills", "list", "--json").stdout)
        if one["name"] == "tidy-up"
    ]
    assert states == [("project", False), ("tenant", True)]
    rows = dataagent("skills", "list").stdout.decode().splitlines()
    assert [row.split()[1] for row in rows[1:4]] == ["project", "your", "built"]
    dataagent("skills", "remove", "tidy-up")
    for name, way_out in (("tidy-up", "with --project"), ("code-review", "built-in skill")):
        assert way_out in dataagent("skills", "remove", name).stderr.decode()


def test_a_path_is_checked_as_a_skill_and_an_installed_one_says_its_warnings(
    dataagent: Run, tmp_path: Path
):
    folder = tmp_path / "odd-one"
    folder.mkdir()
    empty = dataagent("skills", "validate", str(folder))
    assert empty.returncode == 1
    assert f"{folder}: error: There is no SKILL.md." in empty.stderr.decode()
    file = folder / "skill.md"
    file.write_text("---\nname: odd-one\ndescription: d\nteleport: yes\n---\nbody")
    for path in (folder, file):
        checked = dataagent("skills", "validate", str(path))
        assert checked.returncode == 0
        assert "The key 'teleport' is not one of a skill" in checked.stderr.decode()
    installed = dataagent("skills", "install", str(folder)).stderr.decode()
    assert "odd-one/SKILL.md:4:1: warning: The key 'teleport'" in installed


def test_sub_agents_are_listed_copied_and_broken_files_named(dataagent: Run, workspace: Path):
    made = dataagent("agents", "new", "my-reviewer", "--from", "code-reviewer", "--project")
    assert made.returncode == 0, made.stderr.decode()
    folder = workspace / ".dataagent/agents"
    assert dataagent("agents", "new", "my-reviewer", "--project").returncode == 1
    (folder / "broken.md").write_text("---\ntools: [a\n---\np")
    (folder / "coder-agent.md").write_text("---\ntools: Bash\n---\nI code.")
    (folder / "far.md").write_text("---\nrequires_tools: [far_tool]\n---\nI wait.")
    done = dataagent("agents", "list", "--json")
    listed = {(one["name"], one["origin"]): one["is_overridden"] for one in json.loads(done.stdout)}
    assert listed["coder-agent", "project"] is False
    assert listed["coder-agent", "built-in"] is True
    assert listed["my-reviewer", "project"] is False
    table = dataagent("agents", "list")
    assert "needs far_tool" in table.stdout.decode()
    told = table.stderr.decode()
    assert "broken.md:2:" in told
    assert "'Bash', which is read as shell" in told
    shown = dataagent("agents", "show", "my-reviewer").stdout.decode()
    assert shown.startswith("---\nname: my-reviewer\ndescription:")
    assert dataagent("agents", "show", "nobody").returncode == 1


def test_the_example_of_the_documents_is_read_without_a_warning(dataagent: Run, workspace: Path):
    page = (DOCS / "subagents.md").read_text(encoding="utf-8")
    file = workspace / ".dataagent/agents/sql-reviewer.md"
    file.parent.mkdir(parents=True)
    file.write_text(page.split("```markdown\n")[1].split("```")[0], encoding="utf-8")
    found = json.loads(dataagent("agents", "show", "sql-reviewer", "--json").stdout)
    assert (found["origin"], found["warnings"]) == ("project", [])
    assert found["examples"] == ["Is this join right?"]


def test_what_is_shown_can_be_saved_as_the_file_it_came_from(dataagent: Run, workspace: Path):
    folder = workspace / ".dataagent/agents"
    folder.mkdir(parents=True)
    (folder / "narrow.md").write_text("---\ntools: Bash(git diff:*)\n---\n1. Read.\n   - All.\n")
    shown = dataagent("agents", "show", "narrow").stdout.decode()
    (folder / "again.md").write_text(shown.replace("name: narrow", "name: again"))
    assert dataagent("agents", "show", "again").stdout.decode() == (folder / "again.md").read_text()
    assert shown.endswith("\n1. Read.\n   - All.\n")
    (folder / "broken.md").write_text("---\ntools: [a\n---\np")
    broken = dataagent("agents", "show", "broken")
    assert broken.returncode == 1
    assert f"{folder / 'broken.md'}:2:" in broken.stderr.decode()


def test_a_disabled_skill_is_listed_so_and_not_tried(dataagent: Run, workspace: Path):
    dataagent("skills", "new", "tidy-up", "--description", "Tidies rooms.", "--project")
    file = workspace / ".dataagent/skills/tidy-up/SKILL.md"
    text = file.read_text().replace("name: tidy-up\n", "name: tidy-up\nstatus: disabled\n")
    file.write_text(text + "\n- a\n  - b\n")
    listed = dataagent("skills", "list").stdout.decode()
    assert re.search(r"^tidy-up +project +disabled ", listed, re.MULTILINE)
    assert re.search(r"^code-review +built in ", listed, re.MULTILINE)
    assert "is disabled" in dataagent("skills", "test", "tidy-up").stderr.decode()
    assert "- a\n  - b\n" in dataagent("skills", "show", "tidy-up").stdout.decode()


def test_the_prompts_of_skills_are_tried(dataagent: Run, workspace: Path):
    dataagent("skills", "new", "tidy-up", "--description", "Tidies rooms.", "--project")
    evals = {"should": ["tidy up my room", "zzz qqq"], "should_not": ["review my code"]}
    file = workspace / ".dataagent/skills/tidy-up/evals/evals.json"
    file.write_text(json.dumps(evals))
    told = json.loads(dataagent("skills", "test", "tidy-up", "--json").stdout)
    assert (told["prompts"], told["recall"]) == (3, 0.5)
    shown = dataagent("skills", "test", "tidy-up")
    # The rows add up: the prompts that should fire a skill.
    assert re.search(r"^tidy-up +2 +50%", shown.stdout.decode(), re.MULTILINE)
    assert re.search(r"^all +2 +50%", shown.stdout.decode(), re.MULTILINE)
    evals["should"] = ["review my code for bugs"]
    file.write_text(json.dumps(evals))
    mixed = dataagent("skills", "test", "tidy-up").stdout.decode()
    assert "others:\n  code-review on 1 prompt of tidy-up\n" in mixed
    assert "not fired: tidy-up on 'zzz qqq'" in shown.stderr.decode()


def test_broken_prompts_of_one_skill_do_not_stop_the_others(dataagent: Run, workspace: Path):
    for name in ("odd", "tidy-up"):
        dataagent("skills", "new", name, "--project")
    folder = workspace / ".dataagent/skills"
    (folder / "odd/evals/evals.json").write_text("[]")
    long = json.dumps({"should": ["zzz \ud800\x1b[31m" + "z" * 9_000]})
    (folder / "tidy-up/evals/evals.json").write_text(long)
    done = dataagent("skills", "test")
    told = done.stderr.decode()
    assert done.returncode == 1
    assert f"{folder / 'odd/evals/evals.json'} has no prompts" in told
    assert "not fired: tidy-up on 'zzz " in told
    assert len(told) < 2_000
    assert "\x1b[31m" not in told
    assert re.search(r"^tidy-up +1 +0%", done.stdout.decode(), re.MULTILINE)


def test_a_skill_that_cannot_be_tried_says_what_is_wrong_and_what_comes_next(
    dataagent: Run, workspace: Path
):
    folder = workspace / ".dataagent/skills"
    for name in ("broken", "untried", "tidy-up"):
        dataagent("skills", "new", name, "--project")
    file = folder / "broken/SKILL.md"
    file.write_text("---\nname: broken\ndescription: [a\n---\nbody")
    for argument in ("broken", str(folder / "broken")):
        told = dataagent("skills", "test", argument)
        assert told.returncode == 1
        assert re.search(rf"^{file}:\d+:\d+: error: ", told.stderr.decode(), re.MULTILINE)
        assert f"skills validate {argument}" in told.stderr.decode()
    (folder / "untried/evals/evals.json").unlink()
    untried = dataagent("skills", "test", "untried")
    assert untried.returncode == 1
    assert f"Write some into {folder / 'untried/evals/evals.json'}: " in untried.stderr.decode()
    missing = dataagent("skills", "test", "./nowhere")
    assert missing.returncode == 1
    assert "There is no skill and no folder './nowhere'." in missing.stderr.decode()
    evals = json.dumps({"should": ["tidy up"], "should_not": []})
    (folder / "tidy-up/evals/evals.json").write_text(evals)
    # Neither keeps the others from being tried.
    for names in (("broken", "tidy-up"), ()):
        done = dataagent("skills", "test", *names)
        assert done.returncode == 1
        assert f"{file}:" in done.stderr.decode()
        assert "tidy-up" in done.stdout.decode()


def test_warnings_and_errors_of_files_are_called_so(dataagent: Run, workspace: Path):
    dataagent("skills", "new", "tidy-up", "--project")
    file = workspace / ".dataagent/skills/tidy-up/SKILL.md"
    file.write_text(file.read_text().replace("name: tidy-up", "name: tidy-up\nteleport: yes"))
    agents = workspace / ".dataagent/agents"
    agents.mkdir()
    (agents / "coder.md").write_text("---\ntools: Bash\n---\nI code.")
    (agents / "broken.md").write_text("---\ntools: [a\n---\np")
    for pattern, words in (
        (rf"^{file}:\d+:\d+: warning: ", ("skills", "list")),
        (rf"^{agents / 'coder.md'}: warning: ", ("agents", "list")),
        (rf"^{agents / 'broken.md'}:\d+:\d+: error: ", ("agents", "list")),
        ("^warning: ", ("agents", "show", "coder")),
    ):
        told = dataagent(*words).stderr.decode()
        assert re.search(pattern, told, re.MULTILINE), told
