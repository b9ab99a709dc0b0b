"""The languages of a project are found, shown read-only, and bring no credentials with them."""

import os
from pathlib import Path

import pytest
from sandboxes import text

from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.paths.workspace_location import locate_terminal_workspace
from dataagent_core.sandbox.toolchains import Toolchains, find_toolchains


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home" / "ann"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def project(home: Path) -> Path:
    folder = home / "work" / "project"
    folder.mkdir(parents=True)
    return folder


def made(path: Path, content: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


def program(path: Path) -> Path:
    made(path, "#!/bin/sh\necho ran\n").chmod(0o755)
    return path


def python_at(prefix: Path) -> Path:
    program(prefix / "bin" / "python3")
    made(prefix / "lib" / "python3.11" / "os.py")
    return prefix


def found(project: Path, home: Path, *path: Path, **environ: str) -> Toolchains:
    variables = {"HOME": str(home), "PATH": os.pathsep.join(map(str, path)), **environ}
    return find_toolchains(project, variables, [home / ".dataagent"])


def test_the_interpreter_behind_a_virtual_environment_is_found(project: Path, home: Path):
    prefix = python_at(home / ".pyenv" / "versions" / "3.11.7")
    made(project / ".venv" / "pyvenv.cfg", f"home = {prefix}/bin\nversion = 3.11.7\n")
    assert found(project, home).folders == (prefix,)


def test_a_linked_interpreter_is_shown_under_both_names(project: Path, home: Path):
    prefix = python_at(home / ".local" / "share" / "uv" / "python" / "cpython-3.11.7")
    link = prefix.with_name("cpython-3.11")
    link.symlink_to(prefix)
    made(project / "env" / "pyvenv.cfg", f"home = {link}/bin\n")
    assert set(found(project, home).folders) == {prefix, link}


@pytest.mark.parametrize("target", ["", ".ssh", ".dataagent", "work"])
def test_a_virtual_environment_cannot_name_any_folder(project: Path, home: Path, target: str):
    made(home / ".ssh" / "id_ed25519", "KEY")
    made(project / ".venv" / "pyvenv.cfg", f"home = {home / target}/bin\n")
    # Even a Python that lies in a home does not bring the home along.
    python_at(home)
    assert found(project, home).folders == ()


@pytest.mark.parametrize(
    ("file", "version"),
    [("3.11", "3.11.9"), ("3.11.7\n", "3.11.7"), ("3.12.1 3.11.7", "3.12.1")],
)
def test_pyenv_gives_the_version_the_project_names(
    project: Path, home: Path, file: str, version: str
):
    for one in ("3.11.7", "3.11.9", "3.12.1"):
        python_at(home / ".pyenv" / "versions" / one)
    made(project / ".python-version", file)
    chain = found(project, home)
    assert chain.folders == (home / ".pyenv" / "versions" / version,)
    assert chain.path == (str(chain.folders[0] / "bin"),)


@pytest.mark.parametrize("file", ["../../..", "/etc", "", "system", "3.99"])
def test_a_version_that_is_none_names_nothing(project: Path, home: Path, file: str):
    python_at(home / ".pyenv" / "versions" / "3.11.7")
    made(project / ".python-version", file)
    assert found(project, home).folders == ()


def test_a_shim_of_pyenv_leads_to_the_persons_own_version(project: Path, home: Path):
    prefix = python_at(home / ".pyenv" / "versions" / "3.12.1")
    python_at(home / ".pyenv" / "versions" / "3.13.0")
    made(home / ".pyenv" / "version", "3.12.1\n")
    shim = program(home / ".pyenv" / "shims" / "python3")
    made(project / "pyproject.toml")
    assert found(project, home, shim.parent).folders == (prefix,)


def test_nvm_gives_the_node_of_the_project(project: Path, home: Path):
    versions = home / ".nvm" / "versions" / "node"
    for one in ("v18.20.0", "v20.1.0", "v20.11.1"):
        program(versions / one / "bin" / "node")
        made(versions / one / "lib" / "node_modules" / "npm" / "package.json")
    made(project / "package.json", "{}")
    assert found(project, home, versions / "v18.20.0" / "bin").folders == (versions / "v18.20.0",)
    made(project / ".nvmrc", "v20\n")
    chain = found(project, home, versions / "v18.20.0" / "bin")
    assert chain.path == (str(versions / "v20.11.1" / "bin"),)


def test_go_comes_with_the_modules_that_are_here_already(project: Path, home: Path):
    go = program(home / "sdk" / "go1.22" / "bin" / "go")
    made(home / "sdk" / "go1.22" / "src" / "runtime" / "proc.go")
    downloaded = home / "go" / "pkg" / "mod" / "cache" / "download"
    downloaded.mkdir(parents=True)
    made(project / "go.mod", "module p\n")
    chain = found(project, home, go.parent)
    assert chain.folders == (home / "sdk" / "go1.22", downloaded)
    assert chain.env["GOPROXY"].startswith(f"file://{downloaded},")


def test_of_cargos_folder_neither_credentials_nor_configuration_are_shown(
    project: Path, home: Path
):
    program(home / ".cargo" / "bin" / "cargo")
    (home / ".cargo" / "registry").mkdir()
    made(home / ".cargo" / "credentials.toml", "TOKEN")
    (home / ".rustup" / "toolchains").mkdir(parents=True)
    made(project / "Cargo.toml")
    shown = {str(folder.relative_to(home)) for folder in found(project, home).folders}
    assert shown == {".cargo/bin", ".cargo/registry", ".rustup/toolchains"}


@pytest.mark.parametrize(
    "name",
    [
        "pip.conf",
        "etc/pip.conf",
        ".condarc",
        "credentials",
        "lib/node_modules/npm/npmrc",
        "lib/node_modules/tool/.npmrc",
        "lib/python3.11/site-packages/.pypirc",
    ],
)
def test_files_for_passwords_are_hidden_wherever_they_lie(project: Path, home: Path, name: str):
    prefix = python_at(home / ".pyenv" / "versions" / "3.11.7")
    made(project / ".venv" / "pyvenv.cfg", f"home = {prefix}/bin\n")
    hidden = made(prefix / name, "password")
    made(prefix / "lib" / "python3.11" / "site-packages" / "credentials" / "plain.py")
    # What a link leads to outside is not shown anyway, and a link cannot be covered.
    (prefix / ".netrc").symlink_to(made(home / ".netrc"))
    assert found(project, home).hidden == (hidden,)


def test_a_project_in_another_language_brings_nothing(project: Path, home: Path):
    program(home / ".cargo" / "bin" / "cargo")
    python_at(home / ".pyenv" / "versions" / "3.12.1")
    assert found(project, home) == Toolchains()


async def test_a_language_is_read_only_and_its_credentials_are_empty(
    project: Path, home: Path, tmp_path: Path
):
    prefix = python_at(home / ".pyenv" / "versions" / "3.11.7")
    made(prefix / "pip.conf", "password")
    made(home / ".netrc", "password")
    made(project / ".venv" / "pyvenv.cfg", f"home = {prefix}/bin\n")
    (project / ".venv" / "bin").mkdir()
    (project / ".venv" / "bin" / "python").symlink_to(prefix / "bin" / "python3")
    sandbox = await BwrapSandbox.open(
        project,
        place=locate_terminal_workspace(project),
        scratch=tmp_path,
        toolchains=found(project, home),
    )
    try:
        done = await sandbox.run(
            f".venv/bin/python; cat {prefix}/pip.conf {home}/.netrc; touch {prefix}/x; ls -A {home}"
        )
    finally:
        await sandbox.aclose()
    assert done.stdout.data == b"ran\n.pyenv\nwork\n"
    assert "password" not in text(done)
    assert not (prefix / "x").exists()


async def test_a_link_that_is_exchanged_later_shows_no_other_folder(
    project: Path, home: Path, tmp_path: Path
):
    prefix = python_at(home / ".pyenv" / "versions" / "3.11.7")
    made(home / "keys" / "id", "password")
    # Outside the workspace, where a command may write all the same, as in a repository above it.
    link = home / "work" / "python"
    link.symlink_to(prefix)
    made(project / ".venv" / "pyvenv.cfg", f"home = {link}/bin\n")
    sandbox = await BwrapSandbox.open(
        project,
        place=locate_terminal_workspace(project),
        scratch=tmp_path,
        toolchains=found(project, home),
    )
    try:
        link.unlink()
        link.symlink_to(home / "keys")
        done = await sandbox.run(f"cat {link}/id; {link}/bin/python3")
    finally:
        await sandbox.aclose()
    assert "password" not in text(done)
    assert done.stdout.data == b"ran\n"
