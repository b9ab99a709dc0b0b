"""Projects as people have them work in the sandbox: their tests, their tools, their packages."""

import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, events_of, executor, scripted, settings
from projects import PYTEST, go_module, loopback_registry, virtual_environment
from repositories import git, repository

from dataagent_core.engine import AgentConfig
from dataagent_core.engine.assembly.sandboxes import Sandboxes
from dataagent_core.events import ToolResultEvent
from dataagent_core.permissions.rule_files.registries import allow_registries
from dataagent_core.permissions.rule_files.trust import refuse

PYTHON = Path(sys.base_prefix, "bin", f"python{sys.version_info.major}.{sys.version_info.minor}")


async def by_agent(project: Path, home: Path, *commands: str) -> list[str]:
    """Let an agent run commands; give what it reads of each."""
    calls = ({"tool_calls": [{"name": "shell", "args": {"command": c}}]} for c in commands)
    agent = executor(
        scripted(*calls, {"text": "done"}), project, handler=Answering(), chosen=settings(home=home)
    )
    events = await events_of(agent)
    await agent.aclose()
    return [str(event.result) for event in events if isinstance(event, ToolResultEvent)]


async def by_person(project: Path, home: Path, command: str) -> Any:
    """Run a command as `!` in the terminal does."""
    config = AgentConfig(assistant_id="tester", workspace_path=project)
    sandboxes = Sandboxes(settings(home=home)).make_pair(config, project)
    assert sandboxes.shell is not None
    try:
        return await sandboxes.shell.run(command)
    finally:
        for held in sandboxes.closing:
            await held.aclose()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def python_project(tmp_path: Path) -> Path:
    project = repository(
        tmp_path / "p",
        **{"shop.py": "def price():\n    return 3\n", ".gitignore": ".venv\n__pycache__\n"},
    )
    (project / "test_shop.py").write_text(
        "import sys, shop\n\n\ndef test_price():\n    assert shop.price() == 3\n"
        "    assert sys.prefix.endswith('.venv')\n"
    )
    virtual_environment(project / ".venv", PYTHON, *PYTEST)
    return project


async def test_pytest_runs_in_a_virtual_environment_by_the_agent_and_by_the_person(
    python_project: Path, home: Path
):
    test = ".venv/bin/python -m pytest -q -p no:cacheprovider"
    tested, status = await by_agent(python_project, home, test, "git status --porcelain")
    assert "1 passed" in tested
    assert status.startswith("?? test_shop.py\n(exit code 0)")
    done = await by_person(python_project, home, f". .venv/bin/activate && {test[10:]}")
    assert b"1 passed" in done.stdout.data


async def test_git_works_by_the_agent_and_by_the_person(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".gitconfig").write_text("[user]\n\tname = Ann\n\temail = ann@example.org\n")
    project = repository(tmp_path / "p", a="a\n")
    said = await by_agent(
        project,
        home,
        "echo b > b; git add -A && git commit -qm 'add b' && git stash list",
        "echo c >> a; git stash -q && git stash pop -q && git worktree add -q tree && ls tree",
    )
    assert said[0].startswith("(no output)\n(exit code 0)")
    assert said[1].splitlines()[0] == "README"
    done = await by_person(
        project,
        home,
        "git stash -q && git stash pop -q && git commit -qam mine && git worktree add -q other"
        " && git status --porcelain && git worktree list | wc -l",
    )
    assert done.stdout.data.decode().split() == ["??", "other/", "??", "tree/", "3"]
    assert git(project, "log", "-2", "--format=%an %s") == "Ann mine\nAnn add b\n"
    assert git(project, "ls-files").split() == ["README", "a", "b"]


async def test_packages_come_from_an_allowed_registry_and_from_nowhere_else(
    python_project: Path, home: Path
):
    (python_project / "requirements.txt").write_text("iniconfig\n")
    install = f"{PYTHON} -m pip --python .venv/bin/python install -q --no-deps --no-cache-dir "
    with loopback_registry() as registry:
        registry.add_wheel("iniconfig")
        index = f"--index-url http://{registry.address}/simple --retries 0 --target got iniconfig"
        (refused,) = await by_agent(python_project, home, install + index)
        assert "(exit code 1)" in refused
        assert registry.asked == []
        allow_registries(home, python_project, (registry.address,))
        fetched, elsewhere = await by_agent(
            python_project,
            home,
            install + index + " && ls got",
            "curl -sS -m 5 http://127.0.0.1:9/ http://example.org/",
        )
    assert "iniconfig\n" in fetched, fetched
    assert registry.asked[0] == "/simple/iniconfig/"
    assert elsewhere.count("is not") == 2, elsewhere


async def test_languages_are_not_shown_to_a_folder_whose_trust_was_refused(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
):
    person = tmp_path / "ann"
    version = person / ".nvm" / "versions" / "node" / "v20.1.0"
    package = version / "lib" / "node_modules" / "npm" / "package.json"
    for folder in (version / "bin", package.parent, person / "p"):
        folder.mkdir(parents=True)
    package.write_text("{}")
    node = version / "bin" / "node"
    node.write_text("#!/bin/sh\necho the node of nvm\n")
    node.chmod(0o755)
    project = person / "p"
    (project / "package.json").write_text("{}")
    (project / ".nvmrc").write_text("v20\n")
    monkeypatch.setenv("HOME", str(person))
    line = f"node < /dev/null; ls {version}/bin"
    assert (await by_person(project, home, line)).stdout.data == b"the node of nvm\nnode\n"
    refuse(home, project)
    assert (await by_person(project, home, line)).stdout.data == b""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="no npm here")
async def test_npm_installs_and_tests(tmp_path: Path, home: Path):
    project = tmp_path / "p"
    project.mkdir()
    (project / "package.json").write_text(
        '{"name": "p", "version": "1.0.0", "dependencies": {"tiny": "1.0.0"},'
        ' "scripts": {"test": "node -e \\"require(\'assert\').equal(require(\'tiny\'), 42)\\""}}'
    )
    with loopback_registry() as registry:
        registry.add_node("tiny", "1.0.0", "module.exports = 42;\n")
        allow_registries(home, project, (registry.address,))
        command = f"npm install --silent --registry http://{registry.address}/ && npm test"
        (said,) = await by_agent(project, home, command)
        assert "(exit code 0)" in said, said
        shutil.rmtree(project / "node_modules")
        done = await by_person(project, home, command)
    assert done.exit_code == 0, done
    assert (project / "node_modules" / "tiny" / "index.js").exists()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("go") is None, reason="no Go here")
async def test_go_tests_with_the_modules_on_this_computer(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
):
    project = tmp_path / "p"
    project.mkdir()
    cache = tmp_path / "modules"
    go_module(
        cache / "cache" / "download", "example.org/tiny", "v1.0.0", "package tiny\n\nconst X = 42\n"
    )
    monkeypatch.setenv("GOMODCACHE", str(cache))
    (project / "go.mod").write_text("module p\n\ngo 1.21\n\nrequire example.org/tiny v1.0.0\n")
    (project / "p_test.go").write_text(
        'package p\n\nimport (\n\t"testing"\n\n\t"example.org/tiny"\n)\n\n'
        "func TestTiny(t *testing.T) {\n\tif tiny.X != 42 {\n\t\tt.Fail()\n\t}\n}\n"
    )
    test = "GOFLAGS=-mod=mod GONOSUMDB='*' go test ./..."
    (said,) = await by_agent(project, home, test)
    assert "ok  \tp\t" in said, said
    done = await by_person(project, home, test)
    assert b"ok  \tp\t" in done.stdout.data, done
