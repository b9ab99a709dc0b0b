"""S2, the agent system: its sections, end points, event types, tables and test lists, one file a theme."""

from tests.requirements.entry import Requirement
from tests.requirements.s2.agent import AGENT
from tests.requirements.s2.api import API
from tests.requirements.s2.console import CONSOLE
from tests.requirements.s2.durable import DURABLE
from tests.requirements.s2.events import EVENTS
from tests.requirements.s2.graph import GRAPH
from tests.requirements.s2.mcp import MCP
from tests.requirements.s2.overview import OVERVIEW
from tests.requirements.s2.quality import QUALITY
from tests.requirements.s2.schema import SCHEMA
from tests.requirements.s2.skills import SKILLS
from tests.requirements.s2.subagents import SUBAGENTS
from tests.requirements.s2.thinking import THINKING
from tests.requirements.s2.tools import TOOLS

S2: tuple[Requirement, ...] = (
    *OVERVIEW,
    *AGENT,
    *THINKING,
    *TOOLS,
    *SKILLS,
    *SUBAGENTS,
    *MCP,
    *GRAPH,
    *DURABLE,
    *EVENTS,
    *SCHEMA,
    *API,
    *CONSOLE,
    *QUALITY,
)

__all__ = ["S2"]
