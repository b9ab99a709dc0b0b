"""What leads out of a workspace is refused, on the server and for one person, by both openers."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from dataagent_core.errors import DeniedError, NotFoundError, PathEscapeError, ValidationError
from dataagent_core.sandbox.files.safe_root import PathOpener, SafeRoot

Use = Callable[[SafeRoot, str], object]
USES: dict[str, Use] = {
    "read": lambda root, path: root.read_bytes(path),
    "write": lambda root, path: root.write_atomic(path, b"PWNED"),
    "list": lambda root, path: root.list_dir(path),
    "stat": lambda root, path: root.stat(path),
}
PROTECTED = [
    ".git/hooks/pre-commit",
    ".git/config",
    ".git",
    ".GIT/hooks/pre-commit",
    "sub/.git/hooks/post-merge",
    ".dataagent/permissions.toml",
    ".DataAgent/Permissions.TOML",
    ".dataagent/other.toml",
    ".mcp.json",
    ".g\u200cit/hooks/x",
    ".git ./hooks/x",
    "\uff0egit/config",
    ".bashrc",
]


def outside(workspace: Path) -> list[str]:
    return sorted(p.name for p in workspace.parent.iterdir())


@pytest.mark.requirement("F3-escapes")
@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("path", ["../secret.txt", "/../secret.txt", "a/../../secret.txt"])
def test_parent_paths_are_refused(root: SafeRoot, use: Use, path: str):
    with pytest.raises(PathEscapeError):
        use(root, path)


@pytest.mark.requirement("F3-escapes")
def test_an_absolute_path_starts_at_the_workspace(root: SafeRoot, workspace: Path):
    with pytest.raises(NotFoundError):
        root.read_bytes("/etc/hostname")
    root.write_atomic(str(workspace.parent / "secret.txt"), b"mine")
    assert (workspace.parent / "secret.txt").read_text() == "SECRET"


@pytest.mark.requirement("F3-6")
@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("target", ["../secret.txt", "{outside}/secret.txt", "in/../../secret.txt"])
def test_a_link_that_leads_out_is_refused(root: SafeRoot, workspace: Path, use: Use, target: str):
    (workspace / "in").mkdir()
    (workspace / "link").symlink_to(target.format(outside=workspace.parent))
    with pytest.raises(PathEscapeError):
        use(root, "/link")
    assert (workspace.parent / "secret.txt").read_text() == "SECRET"


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_folder_link_that_leads_out_is_refused(root: SafeRoot, workspace: Path, use: Use):
    (workspace / "folder").symlink_to("..")
    before = outside(workspace)
    with pytest.raises(PathEscapeError):
        use(root, "/folder/secret.txt")
    assert outside(workspace) == before


def test_a_dangling_link_cannot_be_written_through_to_the_outside(root: SafeRoot, workspace: Path):
    (workspace / "link").symlink_to("../new.txt")
    with pytest.raises(PathEscapeError):
        root.write_atomic("/link", b"PWNED")
    assert not (workspace.parent / "new.txt").exists()


@pytest.mark.parametrize("target", ["loop", "loop/x"])
def test_links_in_a_circle_are_refused(person: SafeRoot, workspace: Path, target: str):
    (workspace / "loop").symlink_to(target)
    for use in (USES["read"], USES["write"]):
        with pytest.raises(PathEscapeError):
            use(person, "/loop")


@pytest.mark.requirement("F3-6")
def test_the_server_follows_no_link_even_inside(server: SafeRoot, workspace: Path):
    (workspace / "real.txt").write_text("x")
    (workspace / "link").symlink_to("real.txt")
    for use in (USES["read"], USES["write"], USES["stat"]):
        with pytest.raises(PathEscapeError):
            use(server, "/link")


@pytest.mark.requirement("F3-6")
def test_the_server_refuses_files_with_a_second_name(server: SafeRoot, workspace: Path):
    os.link(workspace.parent / "secret.txt", workspace / "hard")
    with pytest.raises(PathEscapeError, match="2 hard links"):
        server.read_bytes("/hard")
    with pytest.raises(PathEscapeError):
        server.write_atomic("/hard", b"PWNED")
    assert (workspace.parent / "secret.txt").read_text() == "SECRET"


@pytest.mark.requirement("F3-6")
def test_for_one_person_a_write_to_a_hard_link_leaves_the_other_name(
    person: SafeRoot, workspace: Path
):
    os.link(workspace.parent / "secret.txt", workspace / "hard")
    assert person.read_bytes("/hard") == b"SECRET"
    person.write_atomic("/hard", b"new")
    assert person.read_bytes("/hard") == b"new"
    assert (workspace.parent / "secret.txt").read_text() == "SECRET"


@pytest.mark.requirement("F3-escapes")
def test_a_pipe_is_refused_at_once(root: SafeRoot, workspace: Path):
    os.mkfifo(workspace / "pipe")
    for use in (USES["read"], USES["write"]):
        with pytest.raises(PathEscapeError):
            use(root, "/pipe")


@pytest.mark.requirement("F3-escapes")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make device files")
def test_a_device_is_refused(root: SafeRoot, workspace: Path):
    os.mknod(workspace / "null", 0o600 | 0o020000, os.makedev(1, 3))
    for use in (USES["read"], USES["write"]):
        with pytest.raises(PathEscapeError):
            use(root, "/null")


@pytest.mark.requirement("F3-escapes")
@pytest.mark.parametrize("path", ["self/environ", "self/cwd/x", "self/root/etc/hostname"])
def test_magic_links_of_proc_are_refused(opener: PathOpener, path: str):
    for links in ("refuse", "beneath"):
        root = SafeRoot(Path("/proc"), links=links, opener=opener)
        with pytest.raises((PathEscapeError, NotFoundError)):
            root.read_bytes(path.replace("environ", "exe"))


@pytest.mark.requirement("F3-escapes")
@pytest.mark.parametrize("path", PROTECTED)
def test_protected_places_cannot_be_written_or_removed(root: SafeRoot, workspace: Path, path: str):
    with pytest.raises(DeniedError, match="protected"):
        root.write_atomic(path, b"#!/bin/sh\n")
    with pytest.raises(DeniedError):
        root.unlink(path)
    assert list(workspace.iterdir()) == []


@pytest.mark.parametrize(
    ("link", "target", "path"),
    [
        ("h", ".git/hooks", "h/pre-commit"),
        ("rules", ".dataagent/permissions.toml", "rules"),
        ("a", ".", "a/.mcp.json"),
        ("sub/up", "../.git", "sub/up/config"),
    ],
)
def test_protected_places_cannot_be_written_through_links(
    person: SafeRoot, workspace: Path, link: str, target: str, path: str
):
    (workspace / ".git/hooks").mkdir(parents=True)
    (workspace / "sub").mkdir()
    (workspace / link).symlink_to(target)
    with pytest.raises(DeniedError):
        person.write_atomic(path, b"#!/bin/sh\n")
    assert list((workspace / ".git/hooks").iterdir()) == []


def test_an_existing_protected_file_is_known_by_identity(person: SafeRoot, workspace: Path):
    (workspace / ".mcp.json").write_text("{}")
    os.link(workspace / ".mcp.json", workspace / "other-spelling")
    with pytest.raises(DeniedError):
        person.write_atomic("/other-spelling", b"{}")


@pytest.mark.parametrize(
    "names",
    [
        ("HEAD", "config"),
        ("config", "HEAD"),
        ("HEAD", "hooks/post-checkout"),
        ("HEAD", "commondir"),
    ],
)
def test_a_folder_does_not_become_a_repository(
    root: SafeRoot, workspace: Path, names: tuple[str, str]
):
    first, second = (f"/docs/{name}" for name in names)
    root.write_atomic(first, b"x")
    with pytest.raises(DeniedError, match="protected"):
        root.write_atomic(second, b"x")
    assert not (workspace / second[1:]).exists()
    root.write_atomic("/other/config", b"x")


def test_a_link_does_not_hide_a_file_that_programs_obey(person: SafeRoot, workspace: Path):
    (workspace / ".vscode").mkdir()
    (workspace / "notes").symlink_to(".envrc")
    (workspace / "kit").symlink_to(".vscode")
    for path in ("/notes", "/kit/tasks.json"):
        with pytest.raises(DeniedError, match="leads through a link"):
            person.write_atomic(path, b"x")
    assert list((workspace / ".vscode").iterdir()) == []
    person.write_atomic("/.envrc", b"asked about by its name")


def test_protected_places_can_be_read(root: SafeRoot, workspace: Path):
    (workspace / ".mcp.json").write_text("{}")
    assert root.read_bytes("/.mcp.json") == b"{}"


def test_a_directory_is_not_a_file(root: SafeRoot, workspace: Path):
    (workspace / "folder").mkdir()
    for use in (USES["read"], USES["write"]):
        for path in ("/folder", "/"):
            with pytest.raises(ValidationError, match="directory"):
                use(root, path)


def test_no_write_enters_a_directory_that_was_closed(workspace: Path, opener: PathOpener):
    (workspace / "settings/deep").mkdir(parents=True)
    (workspace / "link").symlink_to("settings/deep")
    root = SafeRoot(
        workspace,
        links="beneath",
        closed=[workspace / "settings", workspace / "none"],
        opener=opener,
    )
    for path in ("/settings/permissions.toml", "/settings/deep/x", "/link/x"):
        with pytest.raises(DeniedError):
            root.write_atomic(path, b"")
    root.write_atomic("/elsewhere", b"")
