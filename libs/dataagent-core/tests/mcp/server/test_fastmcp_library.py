"""How FastMCP is set up; in a process of its own, because it reads its settings once."""

import os
import subprocess
import sys
from pathlib import Path

_PROGRAM = """
import logging
from dataagent_core.mcp.server import build_server
import fastmcp
print(fastmcp.settings.log_level, logging.getLogger("fastmcp").handlers)
"""


def test_fastmcp_reads_no_file_of_the_folder_and_adds_no_log_handler(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("FASTMCP_LOG_LEVEL=DEBUG\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == "INFO []\n"
