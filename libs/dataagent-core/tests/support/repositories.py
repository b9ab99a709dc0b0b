"""Real git repositories for tests, and the host's own git to look at them."""

import subprocess
from pathlib import Path

IDENTITY = ("-c", "user.name=Maker", "-c", "user.email=maker@example.org")


def git(folder: Path, *words: str) -> str:
    """Run the host's git without anybody's configuration."""
    done = subprocess.run(
        ["git", "-C", str(folder), *IDENTITY, *words],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "GIT_CONFIG_GLOBAL": "/dev/null"},
    )
    return done.stdout


def repository(folder: Path, **files: str) -> Path:
    """Make a repository with one commit; underscores in names are slashes."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main", ".")
    for name, content in ({"README": "read me\n"} | files).items():
        path = folder / name.replace("_", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "first")
    return folder
