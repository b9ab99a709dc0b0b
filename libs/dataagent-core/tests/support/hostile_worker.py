"""A worker of media whose decoder runs an attacker's code."""

from typing import Final

# Stands for a decoder that runs an attacker's code: the answer lists what it could do.
HOSTILE_WORKER: Final = """
import os, runpy, socket, sys
worker = runpy.run_path(sys.argv[1])

def attempts(data, job, head=None):
    done = []
    for name, attempt in {{
        "read": lambda: open(sys.argv[1]),
        "list": lambda: os.listdir("/"),
        "connect": socket.socket,
        "pipe": os.pipe,
        "duplicate": lambda: os.dup(1),
    }}.items():
        try:
            attempt()
        except OSError:
            continue
        done.append(name)
    return {answer}

worker["main"].__globals__["{function}"] = attempts
worker["main"]()
"""
