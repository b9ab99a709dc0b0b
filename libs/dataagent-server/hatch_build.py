"""Puts the built console into wheels and source archives: whoever installs one needs no Node.

An editable install never builds it; there `make web` does, and the server says so while it is not.
"""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

# Only there while a package is built.
from hatchling.builders.hooks.plugin.interface import (  # pyright: ignore[reportMissingImports]
    BuildHookInterface,
)


class ConsoleBuildHook(BuildHookInterface):  # pyright: ignore[reportUntypedBaseClass]
    """Builds the console unless it is there."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """See to the console before hatchling gathers the files."""
        del build_data
        package = Path(self.root)
        built = package / "dataagent_server" / "api" / "console" / "static" / "index.html"
        if version == "editable" or built.is_file() or os.environ.get("DATAAGENT_SKIP_WEB") == "1":
            return
        web = package.parent.parent / "web"
        npm = shutil.which("npm")
        if npm is None or not (web / "package.json").is_file():
            missing = "npm was not found" if npm is None else f"there is no {web}"
            message = (
                f"The web console is not built, and it cannot be: {missing}. Build it with "
                "`make web` (Node 20), or set DATAAGENT_SKIP_WEB=1 for a package without it."
            )
            raise RuntimeError(message)
        for arguments in (["ci", "--no-audit", "--no-fund"], ["run", "build"]):
            subprocess.run([npm, *arguments], cwd=web, check=True)  # noqa: S603 (ours)
