"""Runs one command in a child forked from a process that has everything loaded.

A separate module because a forked child imports it by name.
"""

import os

# Imports of nearly every command; they take longer than most commands.
PRELOADED = [
    "dataagent_cli.main",
    "dataagent_cli.wiring",
    "dataagent_core.engine",
    "dataagent_core.session.stores.bundle",
]


def run(
    arguments: list[str], stdin: str, environment: dict[str, str], folder: str, log: str
) -> None:
    """Become a process without a terminal, run the command, and exit with its code."""
    os.setsid()
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(written, 1)
    os.dup2(written, 2)
    _replace_stdin(stdin)
    from dataagent_cli.main import exit_code_of
    from dataagent_cli.output.standard_streams import claim_standard_streams

    claim_standard_streams()
    os._exit(exit_code_of(arguments))


def _replace_stdin(kind: str) -> None:
    if kind == "closed":
        os.close(0)
        import sys

        sys.stdin = None  # as Python starts without it
        return
    if kind == "silent":
        # A pipe whose other end stays open and silent.
        reading, _ = os.pipe()
        os.dup2(reading, 0)
    else:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    import sys

    sys.stdin = os.fdopen(0, "r", closefd=False)
