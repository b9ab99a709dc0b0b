"""Builds the data tools of one agent, and what its answers are checked against."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.config import Settings
from dataagent_core.config.limits.data import RECEIPT_ALIASES_WAIT_S, RECEIPT_MESSAGES_MAX
from dataagent_core.engine.assembly.agent_folders import AgentFolders
from dataagent_core.engine.attachments.attachments import RESOURCE_ATTACHED, Attachments
from dataagent_core.engine.config import AgentConfig
from dataagent_core.errors import DataAgentError
from dataagent_core.events import WarningEvent
from dataagent_core.ids import checked_id
from dataagent_core.session import EventLog, MessageStore, read_all
from dataagent_core.session.prompt import own_words
from dataagent_core.session.store import newest_messages
from dataagent_core.tools.data.agent_tools import DataTools, DataToolServices, make_data_tools
from dataagent_core.tools.data.data_access import DataAccess
from dataagent_core.tools.data.data_model import Catalogue
from dataagent_core.tools.data.receipts.measures.column_aliases import (
    AliasMap,
    collect_column_aliases,
)
from dataagent_core.tools.data.receipts.trace_values import UserStatements
from dataagent_core.tools.data.results.stored_result import StoredResult
from dataagent_core.tools.data.semantic import SemanticModel
from dataagent_core.tools.data.sources.source_spec import RESULTS_SOURCE
from dataagent_core.tools.data.sources.source_store import EmptySourceStore, SourceStore

_LOCAL = "local"


@dataclass(frozen=True, slots=True)
class ProjectAliases:
    """Finds other names of a result's columns, in its source and in the project's model."""

    services: DataToolServices

    async def of(self, kept: StoredResult, columns: Sequence[str]) -> AliasMap:
        """Ask both; one that cannot be read at once is left out."""
        catalogue: Catalogue | None = None
        model: SemanticModel | None = None
        if kept.source != RESULTS_SOURCE:
            with suppress(DataAgentError):
                catalogue = await self.services.queries.load_catalogue(
                    kept.source, RECEIPT_ALIASES_WAIT_S
                )
        with suppress(DataAgentError):
            model = await self.services.load_model()
        return collect_column_aliases(columns, kept.sql, catalogue, model)


@dataclass(frozen=True, slots=True)
class StoredConversations:
    """Reads the user messages of a session, and whether the agent has sources."""

    messages: MessageStore
    sources: SourceStore
    log: EventLog
    # Without it no message has a file.
    attachments: Attachments | None = None

    async def of(self, session_id: str) -> UserStatements:
        """Read the newest of a session's messages."""
        # Half of them are answers.
        newest = await newest_messages(self.messages, session_id, 2 * RECEIPT_MESSAGES_MAX)
        messages = [one for one in newest if one.role == "user"][-RECEIPT_MESSAGES_MAX:]
        has_source = False
        with suppress(DataAgentError):
            has_source = bool(await self.sources.listed())
        texts = [own_words(message.content, message.metadata) for message in messages]
        return UserStatements(
            said=[message.content for message in messages],
            has_source=has_source,
            attached=await self._has_files(texts) or await self._has_resource(session_id),
        )

    async def _has_files(self, texts: Sequence[str]) -> bool:
        """Say whether a message has a file: folders and sources have names, no figures."""
        attachments = self.attachments
        if attachments is None:
            return False
        return await asyncio.to_thread(
            lambda: any(map(attachments.brings_content, reversed(texts)))
        )

    async def _has_resource(self, session_id: str) -> bool:
        warnings = await read_all(self.log, session_id, types=("warning",))
        return any(
            isinstance(event, WarningEvent) and event.code == RESOURCE_ATTACHED
            for event in warnings
        )


def build_data_tools(
    settings: Settings,
    config: AgentConfig,
    places: AgentFolders,
    workspace: Path,
    *,
    sandboxed: bool,
) -> DataTools:
    """Make the data tools of an agent over its workspace and its sources."""
    return make_data_tools(
        DataToolServices(
            access=config.data or _make_own_access(settings, config),
            settings=settings,
            workspace=places.workspace,
            readable=places.readable,
            folder=workspace,
            sandboxed=sandboxed,
        )
    )


def _make_own_access(settings: Settings, config: AgentConfig) -> DataAccess:
    """Give an agent without sources a folder for results of queries on its workspace's files."""
    folder = settings.results
    for part in (config.tenant_id or _LOCAL, config.user_id or config.assistant_id):
        folder /= checked_id(part, "part of a results' path")
    return DataAccess(sources=EmptySourceStore(), results=folder)
