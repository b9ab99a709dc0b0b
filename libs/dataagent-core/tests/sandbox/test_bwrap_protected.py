"""What runs or rules on the host later cannot be written from inside."""

import os
from pathlib import Path

import pytest
from sandboxes import names_in, text

from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox


@pytest.fixture
def repository(workspace: Path) -> Path:
    (workspace / ".git" / "hooks").mkdir(parents=True)
    (workspace / ".git" / "config").write_text("[core]\n")
    (workspace / ".dataagent").mkdir()
    (workspace / ".dataagent" / "permissions.toml").write_text("rules")
    (workspace / ".mcp.json").write_text("{}")
    return workspace


@pytest.mark.requirement("F3-escapes")
@pytest.mark.parametrize(
    "attempt",
    [
        "echo evil > .git/hooks/pre-commit",
        "echo evil > /workspace/.git/hooks/pre-commit",
        "echo evil >> .git/config",
        "echo evil > .dataagent/permissions.toml",
        "echo evil > .mcp.json",
        "rm -rf .git; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit",
        "mv .git g; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit",
        "mv .dataagent d; mkdir .dataagent; echo evil > .dataagent/permissions.toml",
        "echo evil > x; mv -f x .mcp.json",
        "ln -sf /tmp .git/hooks/sub; chmod 777 .git/hooks; rmdir .git/hooks",
    ],
)
async def test_what_is_there_stays_as_it_is(sandbox: BwrapSandbox, repository: Path, attempt: str):
    done = await sandbox.run(attempt)
    assert done.exit_code != 0 or "busy" in text(done)
    assert names_in(repository / ".git" / "hooks") == []
    assert (repository / ".git" / "config").read_text() == "[core]\n"
    assert (repository / ".dataagent" / "permissions.toml").read_text() == "rules"
    assert (repository / ".mcp.json").read_text() == "{}"


async def test_the_rest_of_the_repository_can_be_written(sandbox: BwrapSandbox, repository: Path):
    done = await sandbox.run("echo ref > .git/HEAD && echo x > file")
    assert (done.exit_code, text(done)) == (0, "")
    assert (repository / ".git" / "HEAD").read_text() == "ref\n"


@pytest.mark.parametrize(
    ("attempt", "path"),
    [
        ("echo '{}' > .mcp.json", ".mcp.json"),
        ("mkdir .dataagent; echo x > .dataagent/permissions.toml", ".dataagent"),
        ("mkdir -p .git/hooks; echo x > .git/hooks/pre-commit", ".git/hooks"),
        ("mkdir elsewhere; ln -s elsewhere .dataagent", ".dataagent"),
    ],
)
async def test_what_was_not_there_is_renamed_after_the_command_and_said(
    sandbox: BwrapSandbox, workspace: Path, attempt: str, path: str
):
    done = await sandbox.run(attempt)
    assert done.exit_code == 0
    assert not os.path.lexists(workspace / path)
    assert any(f"'/{path}' was created" in note for note in done.notes)


async def test_a_repository_can_be_made_and_used(sandbox: BwrapSandbox, workspace: Path):
    identity = "-c user.name=a -c user.email=a@b"
    done = await sandbox.run(
        f"git init -q . && touch a && git add a && git {identity} commit -qm a"
    )
    assert done.exit_code == 0, text(done)
    again = await sandbox.run(
        f"touch b && git add b && git {identity} commit -qm b && git log --oneline"
    )
    assert len(text(again).splitlines()) == 2


async def test_what_git_init_makes_stays(sandbox: BwrapSandbox, workspace: Path):
    done = await sandbox.run("git init -q && ls .git/hooks | head -1")
    assert (done.exit_code, done.notes) == (0, ())
    assert all(name.endswith(".sample") for name in names_in(workspace / ".git" / "hooks"))
