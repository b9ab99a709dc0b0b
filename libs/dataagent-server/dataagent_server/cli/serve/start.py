"""Starts the server: check the settings, bind the address, prepare the database, run uvicorn.

Settings given on the command line are left in the environment, where worker processes read them.
"""

import asyncio
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from dataagent_core.language import language_of
from dataagent_server.cli.serve.listener import listen, url_of
from dataagent_server.cli.serve.prepare import prepare_welcome
from dataagent_server.cli.serve.setting_checks import check_settings
from dataagent_server.cli.serve.texts import Messages
from dataagent_server.cli.serve.uvicorn_run import run_uvicorn
from dataagent_server.cli.serve.welcome_text import greeting
from dataagent_server.settings import ServerSettings

_PROGRAM: Final = "dataagent-server"


def serve(given: Mapping[str, str | int], *, sample: bool = False) -> int:
    """Serve until asked to stop, and return the exit code; `sample` brings a warehouse along."""
    settings = ServerSettings(**given)  # pyright: ignore[reportArgumentType]
    check_settings(settings)
    say = Messages(language_of(settings.language, os.environ))
    with listen(settings.host, settings.port) as listener:
        url = url_of(listener)
        chosen = {name: str(value) for name, value in given.items()}
        chosen["port"] = str(listener.getsockname()[1])
        os.environ.update({f"DATAAGENT_{name.upper()}": each for name, each in chosen.items()})
        welcome = asyncio.run(prepare_welcome(settings, settings.public_url or url, sample=sample))
        lines = greeting(welcome, settings.public_url or url, _find_program(), say)
        code = run_uvicorn(settings, listener, lambda: _print(lines))
    _print(say("stopped") + "\n")
    return code


def _find_program() -> str:
    """Return the name if the shell finds it, else its path beside the started program."""
    beside = Path(sys.argv[0]).parent / _PROGRAM
    found = shutil.which(_PROGRAM)
    if not beside.exists() or (found and Path(found).resolve() == beside.resolve()):
        return _PROGRAM
    return str(beside)


def _print(text: str) -> None:
    # Standard error would mix it into the log; a reader that has gone is no reason to stop.
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except (OSError, ValueError):
        return
