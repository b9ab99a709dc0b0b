"""The tools every agent has, put together in one place."""

from collections.abc import Sequence

from langchain_core.tools import BaseTool

from dataagent_core.config import Settings
from dataagent_core.engine.places import Places
from dataagent_core.engine.sandboxes import SandboxPair
from dataagent_core.tools.code.executor import make_code_executor
from dataagent_core.tools.files import ReadLedger, make_file_tools
from dataagent_core.tools.human import make_question_tools
from dataagent_core.tools.kept_output import OutputKeeper
from dataagent_core.tools.shell import make_shell_tool
from dataagent_core.tools.summary import Ask, make_summary_tool
from dataagent_core.tools.web import WebClient, make_web_tools


def make_built_in_tools(
    settings: Settings,
    places: Places,
    sandboxes: SandboxPair,
    *,
    ledger: ReadLedger,
    keeper: OutputKeeper,
    data: Sequence[BaseTool],
    ask: Ask,
) -> list[BaseTool]:
    """Make them; `ask` is for those that need a model's help."""
    commands: list[BaseTool] = []
    if sandboxes.shell is not None:
        shell = make_shell_tool(
            sandboxes.shell,
            keeper.keep_text,
            place=sandboxes.place,
            registries=sandboxes.registries,
            lies_in_repository=sandboxes.lies_in_repository,
        )
        commands.append(shell)
    if sandboxes.code is not None:
        commands.append(make_code_executor(sandboxes.code, places.workspace))
    return [
        *make_file_tools(places.files, mounts=places.beside, ledger=ledger, place=sandboxes.place),
        *commands,
        *make_web_tools(settings, WebClient.from_settings(settings)),
        *data,
        make_summary_tool(ask),
        *make_question_tools(settings),
    ]
