"""The tools of an agent."""

from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from dataagent_core.permissions.rules import Action, Source
from dataagent_core.tools.effects import Effect
from dataagent_server.runs.agents.tool_list import ListedTool


class ToolRule(BaseModel):
    """What the rules say to a call of which only the tool is known."""

    model_config = ConfigDict(frozen=True)

    action: Action
    source: Source = Field(description="Whose rule decided")
    resource: str | None = Field(description="What that rule is about; null: nobody wrote one")
    reason: str


class ToolInfo(BaseModel):
    """One tool, where it comes from, and what happens to its calls."""

    model_config = ConfigDict(frozen=True)

    name: str
    title: str = Field(description="The name as words, without the server it comes from")
    description: str
    source: str = Field(description="built-in, extra, composition, or mcp:NAME of a server")
    effect: Effect = Field(description="What it does to the world; see docs/tools.md")
    shown: Literal["core", "catalogue"] = Field(
        description="core: a model sees its schema at once; catalogue: only when it asks for it"
    )
    rule: ToolRule
    input_schema: dict[str, Any]

    @classmethod
    def of(cls, tool: ListedTool) -> Self:
        """Show it."""
        rule, verdict = tool.verdict.rule, tool.verdict
        return cls(
            name=tool.name,
            title=tool.name.rpartition("__")[2].replace("_", " ").strip() or tool.name,
            description=tool.description,
            source=tool.origin,
            effect=tool.effect,
            shown="core" if tool.core else "catalogue",
            rule=ToolRule(
                action=verdict.action,
                source="default" if rule is None else rule.source,
                resource=None if rule is None else rule.resource,
                reason=verdict.reason,
            ),
            input_schema=tool.input_schema,
        )


class ToolList(BaseModel):
    """What an agent has, and which of its servers did not answer."""

    model_config = ConfigDict(frozen=True)

    tools: list[ToolInfo]
    notes: list[str] = Field(description="A sentence for each MCP server whose tools are missing")
