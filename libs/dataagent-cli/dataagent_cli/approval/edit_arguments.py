"""Lets the person change a call's arguments: in $VISUAL or $EDITOR, else as JSON on one line."""

import asyncio
import json
import os
import shlex
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class NotArgumentsError(Exception):
    """What the person wrote cannot be the arguments of a call."""


def editor_command(environment: Mapping[str, str]) -> list[str]:
    """Name the person's editor, if they chose one."""
    return shlex.split(environment.get("VISUAL") or environment.get("EDITOR") or "")


async def edit_in_editor(command: list[str], args: Mapping[str, Any]) -> dict[str, Any]:
    """Open the arguments in the editor and read what it left."""
    path = await asyncio.to_thread(
        _write_temporary_file, json.dumps(args, indent=2, ensure_ascii=False)
    )
    try:
        try:
            editor = await asyncio.create_subprocess_exec(*command, str(path))
        except OSError as error:
            raise NotArgumentsError(f"{command[0]}: {error.strerror or error}") from error
        status = await editor.wait()
        if status:
            raise NotArgumentsError(f"{command[0]}: {status}")
        return parse_arguments(await asyncio.to_thread(path.read_text, "utf-8", "replace"))
    finally:
        await asyncio.to_thread(path.unlink, missing_ok=True)


def parse_arguments(text: str) -> dict[str, Any]:
    """Read arguments from JSON."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise NotArgumentsError(str(error)) from error
    if not isinstance(value, dict):
        raise NotArgumentsError('{"name": "value", ...}')
    return value


def _write_temporary_file(text: str) -> Path:
    descriptor, name = tempfile.mkstemp(prefix="dataagent-", suffix=".json")
    with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogatepass") as file:
        file.write(text + "\n")
    return Path(name)
