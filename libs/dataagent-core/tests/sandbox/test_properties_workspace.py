"""S0 property 52: a file operation outside the user's workspace is refused."""

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.sandbox.files_backend import SandboxedFilesystemBackend
from dataagent_core.sandbox.workspaces import UserWorkspaceManager

SECRET = "a secret of somebody else"
OUTSIDE = Path(tempfile.mkdtemp(prefix="dataagent-test-"))
Operation = Callable[[SandboxedFilesystemBackend, str], Any]

# What each operation answers with when it is refused stands in its `error`.
OPERATIONS: dict[str, Operation] = {
    "read": lambda files, path: files.read(path),
    "write": lambda files, path: files.write(path, "mine"),
    "edit": lambda files, path: files.edit(path, "secret", "mine"),
    "delete": lambda files, path: files.delete(path),
    "ls": lambda files, path: files.ls(path),
    "glob": lambda files, path: files.glob("**", path),
    "grep": lambda files, path: files.grep("secret", path),
    "download": lambda files, path: files.download_files([path])[0],
    "upload": lambda files, path: files.upload_files([(path, b"mine")])[0],
}


@dataclass(frozen=True)
class World:
    """Two people's workspaces below one root, with a secret in one and beside both."""

    mine: Path
    theirs: Path
    files: SandboxedFilesystemBackend

    def untouched(self) -> bool:
        kept = [self.theirs / "files/secret.txt", OUTSIDE / "secret.txt"]
        names = [len(list(place.iterdir())) for place in (self.theirs, self.theirs / "files")]
        return names == [3, 1] and all(path.read_text() == SECRET for path in kept)


def world() -> World:
    manager = UserWorkspaceManager(OUTSIDE / "all")
    mine, theirs = (manager.ensure_user_workspace(name) for name in ("alice", "bob"))
    for place in (OUTSIDE, theirs / "files"):
        (place / "secret.txt").write_text(SECRET)
    for name, target in (
        ("link", theirs),
        ("loop", Path("loop")),
        ("file-link", OUTSIDE / "secret.txt"),
    ):
        (mine / name).unlink(missing_ok=True)
        (mine / name).symlink_to(target)
    return World(mine, theirs, SandboxedFilesystemBackend("alice", manager))


WORLD = world()
NAMES = st.sampled_from(
    ["..", ".", "", "files", "link", "loop", "file-link", "secret.txt", WORLD.theirs.name]
)
PATHS = st.lists(NAMES | st.text(max_size=8), min_size=1, max_size=8).map("/".join)
ABSOLUTE = st.sampled_from([f"{WORLD.theirs}/files/secret.txt", f"{OUTSIDE}/secret.txt", "/etc"])


def leads_out(mine: Path, path: str) -> bool:
    try:
        real = Path(os.path.realpath(f"{mine}/{path}"))
    except ValueError:  # NUL
        return True
    return not real.is_relative_to(mine)


@pytest.mark.requirement("S0-52")
@given(path=PATHS | ABSOLUTE, name=st.sampled_from(sorted(OPERATIONS)))
def test_property_52_a_file_operation_outside_the_workspace_is_refused(path: str, name: str):
    place = world()
    answer = OPERATIONS[name](place.files, path)
    # Of a link that leads out only the link, which is inside, may be deleted.
    if leads_out(place.mine, os.path.dirname(path) if name == "delete" else path):  # noqa: PTH120
        assert answer.error is not None
    assert SECRET not in str(answer)
    assert place.untouched()


def test_what_leads_out_is_among_what_is_tried():
    """The control: without the safe root these paths do reach the secret."""
    for path in ("link/files/secret.txt", f"../{WORLD.theirs.name}/files/secret.txt", "file-link"):
        assert leads_out(WORLD.mine, path)
        assert (WORLD.mine / path).read_text() == SECRET
