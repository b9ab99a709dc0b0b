"""Makes what an agent has of patterns: its tenant's, or a file in the folder of a single user."""

from collections.abc import Sequence
from pathlib import Path

from langchain_core.tools import BaseTool

from dataagent_core.config import Settings
from dataagent_core.config.paths import LOCAL_TENANT
from dataagent_core.engine.config import AgentConfig
from dataagent_core.engine.loops.pattern_use import PatternUse
from dataagent_core.patterns import PatternLibrary, PatternTerms, open_pattern_store
from dataagent_core.permissions.taint import is_external
from dataagent_core.session import EventLog


def make_pattern_use(
    settings: Settings,
    config: AgentConfig,
    home: Path,
    log: EventLog,
    extra_tools: Sequence[BaseTool],
) -> PatternUse:
    """Make the patterns that an agent's runs use and learn."""
    return PatternUse(
        library=config.patterns or open_pattern_library(settings, config.tenant_id, home),
        log=log,
        user_id=config.user_id or "",
        is_enabled=config.enable_patterns and settings.pattern_learning,
        repeats=settings.pattern_compile_repeats,
        # Ours are known by their names; a database's content is the workspace's.
        external_tools=frozenset(
            tool.name for tool in extra_tools if is_external(tool.name, tool.metadata)
        ),
    )


def open_pattern_library(settings: Settings, tenant_id: str | None, home: Path) -> PatternLibrary:
    """Open the patterns in the folder of a user."""
    tenant = tenant_id or LOCAL_TENANT
    store = open_pattern_store(home / "patterns.db", tenant)
    return PatternLibrary(store, tenant, terms=read_pattern_terms(settings))


def read_pattern_terms(settings: Settings) -> PatternTerms:
    """Return the terms of use that the settings name."""
    return PatternTerms(
        offer_over=settings.pattern_offer_similarity, hint_from=settings.pattern_hint_similarity
    )
