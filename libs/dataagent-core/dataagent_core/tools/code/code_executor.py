"""`code_executor`: Python that keeps its variables from call to call, for a model."""

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from dataagent_core.config.limits import CODE_BYTES_MAX, CODE_TIMEOUT_S, SANDBOX_TIMEOUT_S_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.code.code_session import CodeSession
from dataagent_core.tools.code.kernel_reply import render_code_result
from dataagent_core.tools.command_changes.program_marker import make_program_metadata
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.output.artifacts import ARTIFACTS_KEY, describe_files


@dataclass(frozen=True, slots=True, repr=False)
class CodeServices:
    """The session that runs the code, and the workspace that has what it makes."""

    session: CodeSession
    workspace: SafeRoot


@define_tool("irreversible", make_program_metadata(), with_artifact=True)
async def code_executor(
    services: CodeServices,
    code: Annotated[str, Field(description="Python source.")],
    timeout_s: Annotated[
        float, Field(gt=0, le=SANDBOX_TIMEOUT_S_MAX, description="Seconds it may take.")
    ] = CODE_TIMEOUT_S,
) -> tuple[str, dict[str, Any]]:
    """Run Python in a sandbox that holds the workspace and no network.

    It starts in the workspace: open `a.txt` for what the file tools call `/a.txt`. Variables
    stay from call to call; a result says when they were lost. The value of the last expression
    is shown. Open matplotlib figures are saved below /plots.
    """
    size = len(code.encode("utf-8", "surrogatepass"))
    if size > CODE_BYTES_MAX:
        raise ValidationError(
            f"The code has {size} bytes, {CODE_BYTES_MAX} are possible. "
            "Write it to a file and import it."
        )
    result = await services.session.run(code, timeout_s)
    reply = result.reply
    # Plots first: they are what a person looks for.
    made = [*reply.plots, *reply.files] if reply else []
    return render_code_result(result), {
        "failed": reply is None or reply.error is not None,
        "state_lost": result.killed is not None,
        ARTIFACTS_KEY: await asyncio.to_thread(describe_files, services.workspace, made),
    }
