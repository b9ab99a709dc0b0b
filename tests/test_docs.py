"""The documents are true: commands and code in the README run, the reference matches the code.

What needs a running server is in blocks marked `server`; they run in order against a real one. Those
marked `server-live` go on until somebody stops them.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Generator
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.server.process import ServerProcess, serving

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
API_PAGE = (ROOT / "docs" / "api.md").read_text()
SERVER_PAGE = (ROOT / "docs" / "server.md").read_text()
DATA_PAGE = (ROOT / "docs" / "data.md").read_text()
WORKSPACES_PAGE = (ROOT / "docs" / "workspaces.md").read_text()
LIBRARY_PAGE = (ROOT / "docs" / "library.md").read_text()
COMMAND_S_MAX = 550
CURL_STOPPED = 28  # curl's exit code for `--max-time`
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")


def blocks(language: str, page: str = README) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def server_blocks(page: str) -> list[tuple[str, str]]:
    return re.findall(r"```((?:bash|python) server(?:-live)?)\n(.*?)```", page, re.DOTALL)


def environment(home: Path) -> dict[str, str]:
    keys = ("ANTHROPIC", "OPENAI", "GOOGLE", "GEMINI", "DEEPSEEK", "DASHSCOPE")
    clean = {k: v for k, v in os.environ.items() if not k.startswith((*keys, "DATAAGENT"))}
    return clean | {"DATAAGENT_HOME": str(home), "MAKEFLAGS": ""}


def copy_checkout(folder: Path) -> Path:
    """Copy the files of the checkout: `make` takes away from its .venv what only tests need."""
    for name in tracked_files():
        if (source := ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, folder / name)
    return folder


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy with an environment that holds uv alone, as `make` begins one."""
    folder = copy_checkout(tmp_path_factory.mktemp("checkout"))
    made = folder / ".venv"
    venv.create(made, symlinks=True)
    libraries = Path(sysconfig.get_path("purelib"))
    copied = [*libraries.glob("uv"), *libraries.glob("uv-*.dist-info")]
    for package in copied:
        shutil.copytree(package, made / package.relative_to(ROOT / ".venv"))
    shutil.copy2(ROOT / ".venv/bin/uv", made / "bin")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("commands", blocks("bash"))
def test_the_commands_of_the_readme_run(commands: str, checkout: Path, tmp_path: Path) -> None:
    finished = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=checkout,
        # What the checkout's own environment was made of is in the cache.
        env=environment(tmp_path) | {"UV_OFFLINE": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=COMMAND_S_MAX,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr


@pytest.mark.slow
def test_the_commands_of_the_page_about_data_run_one_after_another(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / ".venv").symlink_to(ROOT / ".venv")
    finished = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(blocks("bash", DATA_PAGE))],
        cwd=workspace,
        env=environment(tmp_path / "home"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=COMMAND_S_MAX,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr


@pytest.mark.slow
@pytest.mark.parametrize("code", [*blocks("python"), *blocks("python", LIBRARY_PAGE)])
def test_the_code_of_the_readme_and_of_the_page_about_the_library_runs(
    code: str, tmp_path: Path
) -> None:
    finished = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=COMMAND_S_MAX,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert "'event_type': 'done'" in finished.stdout


def test_the_code_of_the_page_about_workspaces_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATAAGENT_HOME", str(tmp_path / "home"))
    use, upgrade = blocks("python", WORKSPACES_PAGE)
    exec(compile(use, "workspaces.md", "exec"), {})
    assert [path.name for path in (tmp_path / "workspaces").glob("[!.]*")] == []
    exec(compile(upgrade, "workspaces.md", "exec"), {})
    assert not (tmp_path / "workspaces/acme/ann").exists()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[ServerProcess]:
    folder = tmp_path_factory.mktemp("server")
    with serving(environment(folder / "home"), folder) as started:
        yield started


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "text"),
    [block for page in (README, API_PAGE, SERVER_PAGE) for block in server_blocks(page)],
)
def test_what_the_documents_say_to_a_server_works(
    server: ServerProcess, kind: str, text: str
) -> None:
    told = text.replace("http://127.0.0.1:8000", server.url)
    # So that a server error fails the command.
    options = "--fail-with-body --noproxy '*'" + (" --max-time 2" if "live" in kind else "")
    told = told.replace("curl -s", f"curl {options} -s")
    runner = ["bash", "-euo", "pipefail", "-c"] if "bash" in kind else [sys.executable, "-c"]
    finished = subprocess.run(
        [*runner, told],
        cwd=ROOT,
        env=environment(server.log.parent / "home")
        | {"DATAAGENT_API_KEY": server.first_key, "NO_PROXY": "*"},
        capture_output=True,
        text=True,
        timeout=COMMAND_S_MAX,
        check=False,
    )
    expected = CURL_STOPPED if "live" in kind else 0
    assert finished.returncode == expected, finished.stdout + finished.stderr
    assert finished.stdout
    if '"hello"' in text or "live" in kind:
        assert "No model is configured" in finished.stdout


def test_make_run_starts_the_server_and_ctrl_c_stops_it(tmp_path: Path) -> None:
    (command,) = blocks("bash server-start")
    folder = copy_checkout(tmp_path / "checkout")
    (folder / ".venv").mkdir()
    (folder / ".venv/bin").symlink_to(ROOT / ".venv/bin")
    # What is installed and built here is up to date, so `make` installs and builds nothing.
    console = "libs/dataagent-server/dataagent_server/api/console/static"
    (folder / console).mkdir(parents=True, exist_ok=True)
    for stamp in (".venv/.packages", "web/node_modules/.packages", f"{console}/.built"):
        (folder / stamp).parent.mkdir(parents=True, exist_ok=True)
        (folder / stamp).touch()
    # Another server may use the default port on this machine.
    started = environment(tmp_path) | {"DATAAGENT_PORT": "0"}
    process = subprocess.Popen(
        ["bash", "-c", command],
        cwd=folder,
        env=started,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    with process, process.stdout as output:
        said = next(line for line in output if "?token=" in line)
        assert "Sign in" in said
        os.killpg(process.pid, signal.SIGINT)
        assert "stopped" in output.read()


def test_the_reference_is_what_the_code_says() -> None:
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        import generate
    finally:
        sys.path.remove(str(ROOT / "docs"))
    for name, page in generate.PAGES.items():
        assert (ROOT / "docs" / name).read_text() == page(), (
            f"run: python docs/generate.py ({name})"
        )


def tracked_files() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return listed.stdout.splitlines()


# Paths in backticks in a document: `engine/stack.py`, `web/src/stream/reduce.ts`, `usage/`.
# and folders of tests: `tests/tools/web`.
NAMED_FILE = re.compile(
    r"`((?:[\w*.-]+/)*[\w*.-]+\.(?:py|tsx?|mjs)|(?:[\w-]+/)+|(?:libs/[\w-]+/)?tests/[\w/-]+)`"
)
ABOUT_CODE = ("ARCHITECTURE.md", "CONTRIBUTING.md", "GLOSSARY.md", "THREAT_MODEL.md")


@pytest.mark.parametrize("name", ABOUT_CODE)
def test_every_file_that_a_document_about_the_code_names_exists(name: str) -> None:
    known = ["/" + path for path in tracked_files()]
    missing = [
        named
        for named in NAMED_FILE.findall((ROOT / name).read_text())
        if not any(is_named(path, named) for path in known)
    ]
    assert missing == []


def is_named(path: str, named: str) -> bool:
    """Say whether a path ends with the name of a file, or contains the folder."""
    if "." not in named:
        return f"/{named.rstrip('/')}/" in path
    return fnmatch(path, f"*/{named}")


def anchors(page: Path) -> set[str]:
    """List the fragments of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").glob("*.md")))
def test_every_link_leads_somewhere(page: Path) -> None:
    for target, fragment in LINK.findall(page.read_text()):
        linked = page.parent / target if target else page
        assert linked.exists(), f"{page.name} links to {target}"
        if fragment and linked.suffix == ".md":
            assert fragment in anchors(linked), f"{page.name} links to {target}#{fragment}"
