"""A file held open can be shown to a command: that file, read-only, and nothing beside it."""

import os
from pathlib import Path

from sandboxes import python, text

from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.bubblewrap.system_binds import BindMount


async def test_a_held_file_is_shown_and_nothing_beside_it(workspace: Path, tmp_path: Path):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "a.csv").write_text("shown")
    (folder / "b.csv").write_text("hidden")
    descriptor = os.open(folder / "a.csv", os.O_PATH | os.O_NOFOLLOW)
    # What takes its name after it was opened is not what is shown.
    (folder / "a.csv").rename(folder / "c.csv")
    (folder / "a.csv").write_text("hidden")
    sandbox = await BwrapSandbox.open(
        workspace,
        scratch=tmp_path,
        extra_binds=[BindMount(str(folder / "a.csv"), "/source/0/data.csv", descriptor)],
    )
    try:
        done = await sandbox.run("cat /source/0/data.csv; ls /source /source/0")
        assert text(done) == "shown/source:\n0\n\n/source/0:\ndata.csv\n"
        assert (await sandbox.run("echo x >> /source/0/data.csv")).exit_code != 0
        assert (await sandbox.run("rm /source/0/data.csv")).exit_code != 0
        left = await python(sandbox, "import os; print(sorted(os.listdir('/proc/self/fd')))")
        assert text(left).strip() == "['0', '1', '2', '3']"
    finally:
        await sandbox.aclose()
        os.close(descriptor)
    assert (folder / "c.csv").read_text() == "shown"
    assert list(workspace.iterdir()) == []
