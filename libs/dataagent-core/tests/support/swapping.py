"""A workspace in which a folder is a link to the outside every other moment."""

import contextlib
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

_RENAMER = Path(__file__).with_name("renamer.py")


@contextlib.contextmanager
def swapping_workspace(folder: Path) -> Generator[Path]:
    """Give a workspace whose `door` is now a folder with `file.txt`, now a link to `outside`."""
    workspace, outside = folder / "workspace", folder / "outside"
    (workspace / "door").mkdir(parents=True)
    (workspace / "door/file.txt").write_text("ours")
    outside.mkdir()
    (outside / "file.txt").write_text("SECRET")
    (workspace / "trap").symlink_to("../outside")
    command = [sys.executable, str(_RENAMER), str(workspace / "door"), str(workspace / "trap")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as renamer:
        assert renamer.stdout is not None
        assert renamer.stdout.readline() == b"swapping\n"
        try:
            yield workspace
            assert renamer.poll() is None, "the renamer stopped, so nothing was swapped"
        finally:
            renamer.kill()
