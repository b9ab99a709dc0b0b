"""Runs one command in a child that was forked from a process which has everything loaded.

A module of its own because a forked child imports it by name.
"""

import os

# What nearly every command loads; loading it takes longer than most commands.
PRELOADED = [
    "dataagent_cli.main",
    "dataagent_cli.wiring",
    "dataagent_core.engine",
    "dataagent_core.session.stores.bundle",
]


def run(
    arguments: list[str], stdin: str, environment: dict[str, str], folder: str, log: str
) -> None:
    """Become a process without a terminal, run the command, and end with its exit code."""
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

        sys.stdin = None  # as Python has it when it is started so
        return
    if kind == "silent":
        # A pipe whose other end stays open and never says a word.
        reading, _ = os.pipe()
        os.dup2(reading, 0)
    else:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    import sys

    sys.stdin = os.fdopen(0, "r", closefd=False)
