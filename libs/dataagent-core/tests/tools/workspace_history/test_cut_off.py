"""A rewind whose process is killed in the middle, and what doing it again makes of it."""

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from workspaces_past import Past

from dataagent_core.events import FileOperationEvent
from dataagent_core.session import NO_RUN, read_all

# Dies at the nth file: before it is put back, or after, when nothing has been written down yet.
_PROGRAM = """
import os, signal, sys
from pathlib import Path
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.session.run import RunSummary
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.tools.workspace_history import WorkspaceHistory

class Deadly(SafeRoot):
    left = int(sys.argv[3])
    def put_back(self, *args):
        Deadly.left -= 1
        if Deadly.left or sys.argv[4] == "after":
            super().put_back(*args)
        if not Deadly.left:
            os.kill(os.getpid(), signal.SIGKILL)

root = Deadly(Path(sys.argv[1]), links="beneath")
history = WorkspaceHistory(root, Path(sys.argv[2]), Stores.in_memory().log)
runs = [RunSummary(run_id=sys.argv[5], message_id="m", done=True)]
history._restore_files("s", runs, runs)
"""


@pytest.mark.requirement("F8-5-rewind")
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("nth", [1, 3])
def test_a_rewind_that_was_killed_is_finished_by_the_next(tmp_path: Path, nth: int, when: str):
    past = Past(tmp_path)
    for name in ("a", "b", "c"):
        (past.workspace / name).write_text("before")
    before = past.state()
    message = past.says()

    def work() -> None:
        for name in ("a", "b"):
            (past.workspace / name).write_text("after")
        (past.workspace / "c").unlink()
        (past.workspace / "d").write_text("new")

    past.agent(work)
    past.rests()
    run_id = message.removesuffix(":m0")
    arguments = [str(past.workspace), str(past.shadows), str(nth), when, run_id]
    killed = subprocess.run([sys.executable, "-c", _PROGRAM, *arguments], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert past.state() != before
    done = past.rewinds(message)
    assert done.kept == ()
    assert past.state() == before
    # What the killed one did is told too, each file once.
    told = asyncio.run(read_all(past.log, "s", run_id=NO_RUN))
    paths = [event.file_path for event in told if isinstance(event, FileOperationEvent)]
    assert sorted(paths) == ["/a", "/b", "/c", "/d"]
