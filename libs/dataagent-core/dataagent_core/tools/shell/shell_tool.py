"""The tool `shell`: runs a command line in the sandbox and renders its result for a model.

The result has both streams, the exit and what was left out. A long output keeps its beginning and
its end: a build says at its start what it does and at its end what failed.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from langchain_core.tools import BaseTool
from pydantic import Field

from dataagent_core.config.limits import OUTPUT_BYTES_MAX, SANDBOX_TIMEOUT_S, SANDBOX_TIMEOUT_S_MAX
from dataagent_core.sandbox.paths.workspace_location import SERVER_LOCATION, WorkspaceLocation
from dataagent_core.sandbox.port import CommandResult, KilledReason, Sandbox
from dataagent_core.sandbox.remote.remote_sandbox import RemoteSandbox
from dataagent_core.tools.command_changes.program_marker import make_program_metadata
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.output.output_bounds import truncate_by_bytes

_KILLED: dict[KilledReason, str] = {
    "timeout": "stopped: it took longer than {timeout_s:g} s. Give a larger timeout_s or do less",
    "memory": "stopped: all its processes together used too much memory",
    "processes": "stopped: it had too many processes",
    "disk": "stopped: it wrote too much to disk. What it wrote is still there",
    "output": "stopped: it wrote too much output. Redirect it into a file",
}


def join_output(done: CommandResult) -> str:
    """Join both streams as they were kept."""
    stdout, stderr = (
        stream.data.decode("utf-8", "replace") for stream in (done.stdout, done.stderr)
    )
    if not stderr.strip():
        return stdout
    between = "" if not stdout or stdout.endswith("\n") else "\n"
    return f"{stdout}{between}[stderr]\n{stderr}" if stdout.strip() else stderr


def describe_ending(done: CommandResult, timeout_s: float) -> str:
    """Say in one line how a command ended."""
    if done.killed_reason is not None:
        return f"({_KILLED[done.killed_reason].format(timeout_s=timeout_s)})"
    return f"(exit code {done.exit_code})"


def cut_middle(text: str, bytes_max: int = OUTPUT_BYTES_MAX) -> tuple[str, str, int]:
    """Split off what does not fit: the beginning, the end, and how many bytes between were cut."""
    whole = truncate_by_bytes(text, bytes_max)
    if not whole.bytes_left_out:
        return text, "", 0
    head = truncate_by_bytes(text, bytes_max // 2)
    tail = _last_bytes(text, bytes_max - bytes_max // 2)
    size = len(text.encode("utf-8", "replace"))
    kept = len(head.text.encode("utf-8", "replace")) + len(tail.encode("utf-8", "replace"))
    return head.text, tail, size - kept


def render_command_result(done: CommandResult, timeout_s: float, kept_at: str | None) -> str:
    """Put together what the model reads."""
    head, tail, cut_bytes = cut_middle(join_output(done))
    parts = [head.rstrip("\n")] if head.strip() else []
    if cut_bytes:
        where = f"; all of it is in {kept_at}" if kept_at else ""
        parts += [f"... ({cut_bytes} bytes left out{where}) ...", tail.rstrip("\n")]
    notes = [f"({note})" for note in done.notes]
    return "\n".join([*(parts or ["(no output)"]), describe_ending(done, timeout_s), *notes])


def _last_bytes(text: str, bytes_max: int) -> str:
    data = text.encode("utf-8", "replace")[-bytes_max:]
    start = 0
    while start < len(data) and data[start] & 0xC0 == 0x80:  # noqa: PLR2004 (inside a character)
        start += 1
    return data[start:].decode("utf-8")


_ELSEWHERE = (
    "Run a command on the machine that holds your files. It starts in the workspace: `a.txt` is "
    "what the file tools call `/a.txt`."
)
_HERE = (
    "Run a command in a sandbox that holds the workspace and {network}. It starts in the "
    "workspace, {place}: `a.txt` and `{place}/a.txt` are what the file tools call `/a.txt`; in a "
    "command `/a.txt` is the system's. Nothing goes on running after it; /tmp is empty each time."
)
_PART_OF_REPOSITORY = (
    " The workspace is part of a git repository. Git takes the files outside it, which are not "
    "here, for deleted: stage with `git add .`, never with `-A` or `commit -a`."
)

# Takes the full output and gives the path it can be read at.
KeepOutput = Callable[[str], Awaitable[str]]


@dataclass(frozen=True, slots=True, repr=False)
class ShellServices:
    """What runs a command, and what keeps an output that is too long."""

    sandbox: Sandbox
    keep: KeepOutput | None
    env: Mapping[str, str]


@define_tool("irreversible", make_program_metadata(), with_artifact=True)
async def shell(
    services: ShellServices,
    command: Annotated[str, Field(description="A bash command line.")],
    timeout_s: Annotated[
        float, Field(gt=0, le=SANDBOX_TIMEOUT_S_MAX, description="Seconds it may take.")
    ] = SANDBOX_TIMEOUT_S,
) -> tuple[str, dict[str, Any]]:
    """Run a command; `make_shell_tool` describes where."""
    done = await services.sandbox.run(command, timeout_s=timeout_s, env=services.env)
    return await make_shell_answer(done, timeout_s, services.keep)


def make_shell_tool(
    sandbox: Sandbox,
    keep: KeepOutput | None = None,
    env: Mapping[str, str] | None = None,
    *,
    place: WorkspaceLocation = SERVER_LOCATION,
    registries: Sequence[str] = (),
    lies_in_repository: bool = False,
) -> BaseTool:
    """Make the tool; `keep` is handed every output that is too long to be shown.

    Commands get the variables of `env` besides those of the sandbox, find the workspace at
    `place`, and reach the `registries` and no other host.
    """
    if isinstance(sandbox, RemoteSandbox):
        description = _ELSEWHERE
    else:
        network = f"reaches only {', '.join(registries)}" if registries else "no network"
        description = _HERE.format(place=place.path, network=network)
    if lies_in_repository:
        description += _PART_OF_REPOSITORY
    return shell.bind(ShellServices(sandbox, keep, env or {}), description)


async def make_shell_answer(
    done: CommandResult, timeout_s: float, keep: KeepOutput | None
) -> tuple[str, dict[str, Any]]:
    """Give what a model reads of a command, and what is kept beside it."""
    kept_at = await _keep_long_output(done, keep)
    return render_command_result(done, timeout_s, kept_at), make_receipt_facts(done, kept_at)


def make_receipt_facts(done: CommandResult, kept_at: str | None = None) -> dict[str, Any]:
    """Give what a receipt says of a command."""
    return {
        "exit_code": done.exit_code,
        "killed_reason": done.killed_reason,
        "duration_s": round(done.duration_s, 3),
        "stdout_bytes": done.stdout.total_bytes,
        "stderr_bytes": done.stderr.total_bytes,
        "output_path": kept_at,
    }


async def _keep_long_output(done: CommandResult, keep: KeepOutput | None) -> str | None:
    too_long = done.stdout.total_bytes + done.stderr.total_bytes > OUTPUT_BYTES_MAX
    return await keep(join_output(done)) if keep is not None and too_long else None
