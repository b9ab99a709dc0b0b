"""The tools every agent has, put together in one place."""

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.tools import BaseTool

from dataagent_core.config import Settings
from dataagent_core.engine.attached_sources import AttachedSources
from dataagent_core.engine.attachments import Attachments
from dataagent_core.engine.places import Places
from dataagent_core.engine.server_content import ContentOfServers
from dataagent_core.sandbox.port import Sandbox
from dataagent_core.sandbox.workspace_place import WorkspacePlace
from dataagent_core.tools.code.executor import make_code_executor
from dataagent_core.tools.code.session import CodeSession
from dataagent_core.tools.files import (
    Desk,
    ReadLedger,
    file_foresights,
    make_file_tools,
)
from dataagent_core.tools.foresight import Foresight
from dataagent_core.tools.human import make_question_tools
from dataagent_core.tools.kept_output import OutputKeeper
from dataagent_core.tools.shell import make_shell_tool
from dataagent_core.tools.summary import Ask, make_summary_tool
from dataagent_core.tools.web import WebClient, make_web_tools


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolbox:
    """What the tools are made from."""

    settings: Settings
    # For tools that need a model's help.
    ask: Ask
    places: Places
    ledger: ReadLedger
    keeper: OutputKeeper
    # Without them there is no shell, and no Python.
    sandbox: Sandbox | None
    code: CodeSession | None
    place: WorkspacePlace
    registries: tuple[str, ...]
    lies_in_repository: bool
    data: Sequence[BaseTool]

    def tools(self) -> list[BaseTool]:
        """Make them."""
        return [
            *make_file_tools(
                self.places.files,
                mounts=self.places.beside,
                ledger=self.ledger,
                place=self.place,
            ),
            *self._shell(),
            *([make_code_executor(self.code, self.places.workspace)] if self.code else []),
            *make_web_tools(self.settings, WebClient.from_settings(self.settings)),
            *self.data,
            make_summary_tool(self.ask),
            *make_question_tools(self.settings),
        ]

    def foresights(self) -> dict[str, Foresight]:
        """Say what of their calls is known before they run."""
        return file_foresights(self._desk())

    def attachments(
        self, servers: ContentOfServers, sources: AttachedSources | None
    ) -> Attachments:
        """Give what reads the files, sources and servers' resources that messages name."""
        elsewhere = self.places.remote is not None
        return Attachments(self._desk(), self.place, servers, sources, elsewhere)

    def _desk(self) -> Desk:
        return Desk(self.places.visible(self.place), self.ledger)

    def _shell(self) -> list[BaseTool]:
        if self.sandbox is None:
            return []
        return [
            make_shell_tool(
                self.sandbox,
                self.keeper.keep_text,
                place=self.place,
                registries=self.registries,
                lies_in_repository=self.lies_in_repository,
            )
        ]
