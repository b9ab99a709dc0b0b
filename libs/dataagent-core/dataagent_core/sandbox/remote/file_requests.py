"""Ask a machine elsewhere about its files: one command, many paths, one answer for each."""

import base64
import json
import posixpath
import shlex
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from dataagent_core.config.limits import REMOTE_FILES_S
from dataagent_core.errors import ToolExecutionError
from dataagent_core.sandbox.files.file_node import FileNode, FileVersion
from dataagent_core.sandbox.files.path_errors import translate_os_error
from dataagent_core.sandbox.paths.tool_paths import check_path
from dataagent_core.sandbox.remote.remote_machine import RemoteMachine, make_unreachable_error

FileOperation = Literal["look", "entries", "read", "write", "remove"]
Answer = dict[str, Any]


def send_file_requests(
    machine: RemoteMachine, work: FileOperation, paths: Sequence[str], **options: Any
) -> list[Answer]:
    """Have the program there do something with each of the paths. Blocks."""
    ready = machine.ready()
    wanted = {
        "work": work,
        "paths": [posixpath.join(ready.home, check_path(path)) for path in paths],
        "options": options,
    }
    sent = base64.b64encode(json.dumps(wanted).encode()).decode()
    try:
        response = ready.backend.execute(f"{_command()} {sent}", timeout=REMOTE_FILES_S)
    except Exception as error:
        raise make_unreachable_error(machine.name, error) from error
    lines = response.output.strip().split("\n")
    try:
        return json.loads(lines[-1])
    except ValueError as error:
        raise ToolExecutionError(
            "The machine cannot be asked about its files; it said "
            f"{response.output!r:.300}. File tools need python3 there; shell does not."
        ) from error


def send_file_request(
    machine: RemoteMachine, work: FileOperation, path: str, **options: Any
) -> Answer:
    """Ask about one path; what the kernel there refused is raised."""
    (answer,) = send_file_requests(machine, work, [path], **options)
    if "errno" in answer:
        raise translate_os_error(OSError(answer["errno"], ""), path)
    return answer


def parse_node(found: list[Any]) -> FileNode:
    """Read what the program says of a file."""
    kind, mode, links, version = found
    return FileNode(kind, mode, links, FileVersion(*version))


@cache
def _command() -> str:
    program = (
        files("dataagent_core.sandbox.remote").joinpath("remote_program.py").read_text("utf-8")
    )
    return f"python3 -c {shlex.quote(program)}"
