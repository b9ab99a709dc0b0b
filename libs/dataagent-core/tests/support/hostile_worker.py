"""A worker whose decoder runs an attacker's code."""

from pathlib import Path
from typing import Final

# Stands for a decoder that runs an attacker's code: the answer lists what it could do.
_HOSTILE: Final = """
import importlib.util, os, socket, subprocess, sys

spec = importlib.util.spec_from_file_location("real", {file!r})
real = importlib.util.module_from_spec(spec)
spec.loader.exec_module(real)
prepare, work = real.prepare, real.work

def attempts(*_given):
    done = []
    for name, attempt in {{
        "read": lambda: open({file!r}),
        "list": lambda: os.listdir("/"),
        "connect": socket.socket,
        "pipe": os.pipe,
        "duplicate": lambda: os.dup(1),
        "start": lambda: subprocess.Popen(["true"]),
    }}.items():
        try:
            attempt()
        except OSError:
            continue
        done.append(name)
    return {answer}

real.{function} = attempts
"""


def hostile_worker(folder: Path, file: Path, function: str, answer: str) -> Path:
    """Write a worker like the one in `file`, with `function` in the attacker's hands."""
    worker = folder / "hostile.py"
    worker.write_text(_HOSTILE.format(file=str(file), function=function, answer=answer))
    return worker
