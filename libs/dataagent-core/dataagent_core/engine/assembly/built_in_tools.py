"""Makes the built-in tools of an agent."""

from collections.abc import Sequence

from langchain_core.tools import BaseTool

from dataagent_core.config import Settings
from dataagent_core.engine.assembly.agent_folders import AgentFolders
from dataagent_core.engine.assembly.sandboxes import SandboxPair
from dataagent_core.tools.code.code_executor import CodeServices, code_executor
from dataagent_core.tools.conversation.summary import AskModel, summary
from dataagent_core.tools.files import ReadLedger, make_file_tools
from dataagent_core.tools.human import make_question_tools
from dataagent_core.tools.output.output_keeper import OutputKeeper
from dataagent_core.tools.shell.shell_tool import make_shell_tool
from dataagent_core.tools.web import WebClient, make_web_tools


def make_built_in_tools(
    settings: Settings,
    places: AgentFolders,
    sandboxes: SandboxPair,
    *,
    ledger: ReadLedger,
    keeper: OutputKeeper,
    data: Sequence[BaseTool],
    ask: AskModel,
) -> list[BaseTool]:
    """Make the tools; `ask` is for those that call a model."""
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
        commands.append(code_executor.bind(CodeServices(sandboxes.code, places.workspace)))
    return [
        *make_file_tools(places.files, mounts=places.beside, ledger=ledger, place=sandboxes.place),
        *commands,
        *make_web_tools(settings, WebClient.from_settings(settings)),
        *data,
        summary.bind(ask),
        *make_question_tools(settings),
    ]
