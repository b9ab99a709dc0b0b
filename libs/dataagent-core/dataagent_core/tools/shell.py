"""`shell`: a command line in the sandbox, for a model."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, Any

from langchain_core.tools import BaseTool
from pydantic import Field

from dataagent_core.config.limits import OUTPUT_BYTES_MAX, SANDBOX_TIMEOUT_S, SANDBOX_TIMEOUT_S_MAX
from dataagent_core.sandbox.port import Completed, Sandbox
from dataagent_core.sandbox.remote_sandbox import RemoteSandbox
from dataagent_core.sandbox.workspace_place import SERVER_PLACE, WorkspacePlace
from dataagent_core.tools.command_changes.marker import runs_programs_metadata
from dataagent_core.tools.command_result import full_output, shown_result
from dataagent_core.tools.effects import effect_metadata
from dataagent_core.tools.making import make_tool

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
Keep = Callable[[str], Awaitable[str]]


def make_shell_tool(
    sandbox: Sandbox,
    keep: Keep | None = None,
    env: Mapping[str, str] | None = None,
    *,
    place: WorkspacePlace = SERVER_PLACE,
    registries: Sequence[str] = (),
    lies_in_repository: bool = False,
) -> BaseTool:
    """Make the tool; `keep` is handed every output that is too long to be shown.

    Commands get the variables of `env` besides those of the sandbox, find the workspace at
    `place`, and reach the `registries` and no other host.
    """

    async def shell(
        command: Annotated[str, Field(description="A bash command line.")],
        timeout_s: Annotated[
            float, Field(gt=0, le=SANDBOX_TIMEOUT_S_MAX, description="Seconds it may take.")
        ] = SANDBOX_TIMEOUT_S,
    ) -> tuple[str, dict[str, Any]]:
        done = await sandbox.run(command, timeout_s=timeout_s, env=env or {})
        return await shell_answer(done, timeout_s, keep)

    return make_tool(
        shell,
        {**effect_metadata("irreversible"), **runs_programs_metadata()},
        description=_described(sandbox, place, registries)
        + (_PART_OF_REPOSITORY if lies_in_repository else ""),
        with_artifact=True,
    )


def _described(sandbox: Sandbox, place: WorkspacePlace, registries: Sequence[str]) -> str:
    if isinstance(sandbox, RemoteSandbox):
        return _ELSEWHERE
    network = f"reaches only {', '.join(registries)}" if registries else "no network"
    return _HERE.format(place=place.path, network=network)


async def shell_answer(
    done: Completed, timeout_s: float, keep: Keep | None
) -> tuple[str, dict[str, Any]]:
    """Give what a model reads of a command, and what is kept beside it."""
    kept_at = await _kept(done, keep)
    return shown_result(done, timeout_s, kept_at), receipt_facts(done, kept_at)


def receipt_facts(done: Completed, kept_at: str | None = None) -> dict[str, Any]:
    """Give what a receipt says of a command."""
    return {
        "exit_code": done.exit_code,
        "killed_reason": done.killed_reason,
        "duration_s": round(done.duration_s, 3),
        "stdout_bytes": done.stdout.total_bytes,
        "stderr_bytes": done.stderr.total_bytes,
        "output_path": kept_at,
    }


async def _kept(done: Completed, keep: Keep | None) -> str | None:
    too_long = done.stdout.total_bytes + done.stderr.total_bytes > OUTPUT_BYTES_MAX
    return await keep(full_output(done)) if keep is not None and too_long else None
