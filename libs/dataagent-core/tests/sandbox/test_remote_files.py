"""The file tools do the same on a machine elsewhere as in a directory of this host."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from deepagents.backends.protocol import ExecuteResponse
from file_tools import Run, runner
from vendor import Machine, Vendor

from dataagent_core.config.limits import REMOTE_INLINE_BYTES_MAX
from dataagent_core.errors import (
    ConflictError,
    NotFoundError,
    PathEscapeError,
    ToolExecutionError,
    ValidationError,
)
from dataagent_core.sandbox.files.root import Root
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.sandbox.remote.remote_machine import RemoteMachine
from dataagent_core.sandbox.remote.remote_root import RemoteRoot


@pytest.fixture
def vendor(tmp_path: Path) -> Vendor:
    return Vendor(tmp_path / "vendor")


@pytest.fixture
def remote(vendor: Vendor) -> Iterator[RemoteRoot]:
    machine = RemoteMachine("vendor", lambda: vendor.open_machine("vendor"))
    machine.ready()
    yield RemoteRoot(machine)
    machine.close()


@pytest.fixture(params=["here", "elsewhere"])
def where(request: pytest.FixtureRequest, workspace: Path, vendor: Vendor) -> tuple[Root, Path]:
    if request.param == "here":
        return SafeRoot(workspace, links="beneath"), workspace
    return request.getfixturevalue("remote"), vendor.files()


@pytest.fixture
def run(where: tuple[Root, Path]) -> Run:
    return runner(where[0])


@pytest.fixture
def folder(where: tuple[Root, Path]) -> Path:
    return where[1]


def test_a_file_is_written_read_edited_and_deleted(run: Run, folder: Path):
    assert "Made /a/b.txt" in run("write_file", file_path="/a/b.txt", content="one\ntwo\n")
    assert (folder / "a" / "b.txt").read_text() == "one\ntwo\n"
    assert "2\ttwo" in run("read_file", file_path="/a/b.txt")
    edit = {"old_string": "two", "new_string": "three"}
    assert "+three" in run("edit_file", file_path="/a/b.txt", **edit)
    assert (folder / "a" / "b.txt").read_text() == "one\nthree\n"
    run("delete_file", file_path="/a/b.txt")
    assert list((folder / "a").iterdir()) == []


def test_a_listing_shows_names_sizes_and_folders(run: Run, folder: Path):
    (folder / "z.txt").write_text("four")
    (folder / "sub").mkdir()
    (folder / "link").symlink_to("z.txt")
    assert run("ls", path="/") == "link  4\nsub/\nz.txt  4"


def test_glob_and_grep_pass_over_what_is_ignored(run: Run, folder: Path):
    for name in ("a.py", "src/b.py", "src/deep/c.py", "out/d.py", "node_modules/e.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"needle in {name}\n")
    (folder / ".gitignore").write_text("out/\n")
    (folder / "src" / ".gitignore").write_text("deep/c.py\n")
    (folder / "src" / "binary.py").write_bytes(b"needle\0")
    assert [line.split("  ")[0] for line in run("glob", pattern="*.py").splitlines()] == [
        "/a.py",
        "/src/b.py",
        "/src/binary.py",
    ]
    found = run("grep", pattern="need.e", path="/src")
    assert "/src/b.py:1:needle in src/b.py" in found
    assert "1 matches in 1 files" in found
    assert "matches 'nothing'" in run("grep", pattern="nothing")


def test_a_file_changed_by_a_command_is_not_overwritten(run: Run, folder: Path):
    run("write_file", file_path="/a.txt", content="mine")
    (folder / "a.txt").write_text("theirs")
    with pytest.raises(ConflictError, match="changed since"):
        run("write_file", file_path="/a.txt", content="mine again")
    assert (folder / "a.txt").read_text() == "theirs"


def test_a_write_expects_the_version_that_was_read(where: tuple[Root, Path]):
    root, folder = where
    root.write_atomic("/a", b"one", expected="absent")
    with pytest.raises(ConflictError):
        root.write_atomic("/a", b"two", expected="absent")
    _, node = root.read_version("/a")
    (folder / "a").write_bytes(b"changed")
    with pytest.raises(ConflictError):
        root.write_atomic("/a", b"two", expected=node.version)
    _, node = root.read_version("/a")
    root.write_atomic("/a", b"two", expected=node.version)
    assert (folder / "a").read_bytes() == b"two"
    assert [entry.name for entry in root.list_dir()] == ["a"]


def test_an_existing_file_keeps_its_permissions(where: tuple[Root, Path]):
    root, folder = where
    (folder / "run.sh").write_text("old")
    (folder / "run.sh").chmod(0o750)
    root.write_atomic("/run.sh", b"new")
    assert (folder / "run.sh").stat().st_mode & 0o777 == 0o750


def test_any_bytes_and_any_size_come_back_as_they_were(where: tuple[Root, Path]):
    root, _ = where
    for data in (b"", bytes(range(256)), b"\xff\xfe" * REMOTE_INLINE_BYTES_MAX):
        root.write_atomic("/any", data)
        assert root.read_bytes("/any") == data


def test_what_cannot_be_done_is_said_by_the_same_errors(where: tuple[Root, Path]):
    root, folder = where
    (folder / "sub").mkdir()
    for path, error in (
        ("/none", NotFoundError),
        ("/sub", ValidationError),
        ("/../etc/passwd", PathEscapeError),
    ):
        with pytest.raises(error):
            root.read_bytes(path)
    with pytest.raises(NotFoundError):
        root.unlink("/none")
    with pytest.raises(NotFoundError):
        root.list_dir("/none")
    with pytest.raises(ValidationError):
        root.write_atomic("/sub", b"x")
    (folder / "big").write_bytes(b"x" * 11)
    with pytest.raises(ValidationError, match="more than"):
        root.read_bytes("/big", 10)


def test_names_that_are_no_utf8_survive_the_way(where: tuple[Root, Path]):
    root, folder = where
    name = b"caf\xe9 '\"$x\n".decode("utf-8", "surrogateescape")
    (folder / name).write_text("x")
    (entry,) = root.list_dir()
    assert entry.name == name
    assert root.read_bytes(f"/{name}") == b"x"


def test_a_search_asks_tens_of_questions_and_not_thousands(remote: RemoteRoot, vendor: Vendor):
    for number in range(200):
        place = vendor.files() / f"folder{number % 20}"
        place.mkdir(exist_ok=True)
        (place / f"{number}.txt").write_text("needle\n")
    (machine,) = vendor.machines
    before = machine.commands
    found = runner(remote)("grep", pattern="needle", max_count=1000)
    assert "200 matches in 200 files" in found
    assert machine.commands - before < 10


def test_a_machine_without_python_is_said_to_need_it(
    remote: RemoteRoot, monkeypatch: pytest.MonkeyPatch
):
    def without_python(self: Machine, command: str, *, timeout: int | None = None):
        return ExecuteResponse(output="bash: python3: command not found\n", exit_code=127)

    monkeypatch.setattr(Machine, "execute", without_python)
    with pytest.raises(ToolExecutionError, match=r"not found.*need python3"):
        remote.read_bytes("/a")
