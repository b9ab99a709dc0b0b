"""What agents kept of long outputs goes after a while, also when its person never comes back."""

import os
from pathlib import Path

from dataagent_core.config.paths import user_home
from dataagent_core.tools.output.output_keeper import OutputKeeper
from dataagent_server.common.ids import TenantId
from dataagent_server.runs.agents.kept_outputs import tidy_kept_outputs


def test_old_outputs_of_everybody_are_removed(tmp_path: Path):
    for user in ("ann", "bob"):
        folder = user_home(tmp_path, TenantId("t"), user) / "agents" / "default" / "artifacts"
        for text in ("old", "new"):
            kept = folder / Path(OutputKeeper(folder, "/artifacts/").keep(text, text)).name
            if text == "old":
                os.utime(kept, (0, 0))
    tidy_kept_outputs(tmp_path)
    left = [path.read_text() for path in tmp_path.rglob("*.txt")]
    assert left == ["new", "new"]
