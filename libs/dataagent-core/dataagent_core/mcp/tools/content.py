"""The resources and prompts of one server, for a person.

All text is the server's: names and descriptions are cleaned before they are shown, a URI or a name
with invisible characters is left out, and what is read is bounded.
"""

import asyncio
import base64
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataagent_core.config.limits.mcp import (
    MCP_BLOCKS_MAX,
    MCP_CONTENT_S,
    MCP_DESCRIPTION_SHOWN_CHARS_MAX,
    MCP_PROMPT_ARGUMENTS_MAX,
    MCP_PROMPT_CHARS_MAX,
    MCP_PROMPT_NAME_CHARS_MAX,
    MCP_URI_CHARS_MAX,
)
from dataagent_core.errors import MCPServerError, ValidationError
from dataagent_core.mcp.tool_names import tool_name
from dataagent_core.mcp.tools.clean_text import clean_text, in_one_line
from dataagent_core.mcp.tools.results import ResultFiles, block_text, resource_text
from dataagent_core.mcp.tools.tool_context import MCPToolContext

if TYPE_CHECKING:
    from mcp_types import GetPromptResult, Prompt, ReadResourceResult, Resource, ResourceTemplate

_NAME_CHARS_MAX = 100


@dataclass(frozen=True, slots=True)
class OfferedResource:
    """A resource a person may choose; a template's URI ends before its first variable."""

    uri: str
    about: str
    is_template: bool = False


@dataclass(frozen=True, slots=True)
class PromptParameter:
    """One argument of a prompt."""

    name: str
    about: str
    required: bool


@dataclass(frozen=True, slots=True)
class OfferedPrompt:
    """A prompt a person may choose."""

    name: str
    about: str
    parameters: tuple[PromptParameter, ...]

    @property
    def usage(self) -> str:
        """The arguments that may be typed after its name."""
        return " ".join(
            f"{one.name}=..." if one.required else f"[{one.name}=...]" for one in self.parameters
        )

    def check(self, arguments: Mapping[str, str]) -> None:
        self.check_names(arguments)
        missing = [
            one.name for one in self.parameters if one.required and not arguments.get(one.name)
        ]
        if missing:
            raise ValidationError(
                f"the prompt {self.name!r} needs {', '.join(missing)}: give "
                f"{' '.join(f'{name}=...' for name in missing)}."
            )

    def check_names(self, arguments: Mapping[str, str]) -> None:
        known = [one.name for one in self.parameters]
        for name in arguments:
            if name not in known:
                takes = ", ".join(known) or "none"
                raise ValidationError(
                    f"the prompt {self.name!r} has no argument {name!r:.100}. It takes: {takes}."
                )


@dataclass(frozen=True, slots=True)
class ServerContent:
    """The resources and prompts of one server, for one owner."""

    tool_context: MCPToolContext
    tenant: str

    def name_for_rules(self, tool: str) -> str:
        """Return the name that rules use for this server, as for one of its tools."""
        return tool_name(self.tenant, self.server, tool)

    @property
    def server(self) -> str:
        return self.tool_context.connection.config.name

    async def resources(self) -> tuple[OfferedResource, ...]:
        """List the resources, templates last; starts the server if necessary."""
        listing = await self.tool_context.connection.resources()
        found = (_make_resource(one) for one in listing.resources)
        templates = (_make_template(one) for one in listing.templates)
        return tuple(one for one in (*found, *templates) if _is_visible_uri(one.uri))

    async def read(self, uri: str, chars_max: int) -> str:
        """Read a resource as text; files in it, and text beyond the limit, are saved."""
        if not _is_visible_uri(uri):
            raise MCPServerError(
                self.server,
                f"is not asked for {uri!r:.100}: a URI has at most {MCP_URI_CHARS_MAX:,} "
                "characters that can be seen.",
            )
        result = await self.tool_context.connection.read_resource(uri, timeout_s=MCP_CONTENT_S)
        return await asyncio.to_thread(self._render_contents, result, chars_max)

    def _render_contents(self, result: "ReadResourceResult", chars_max: int) -> str:
        files = ResultFiles(self.tool_context.files)
        parts = [resource_text(one, files) for one in result.contents[:MCP_BLOCKS_MAX]]
        if len(result.contents) > len(parts):
            parts.append(f"({len(result.contents) - len(parts)} more parts were left out.)")
        text = "\n".join(parts) or "(It is empty.)"
        if len(text) <= chars_max:
            return text
        whole = files.keep(base64.b64encode(text.encode(errors="replace")).decode(), "text/plain")
        return (
            f"(Only the first {chars_max:,} of {len(text):,} characters follow. All of it: "
            f"{whole})\n{text[:chars_max]}"
        )

    async def prompts(self) -> tuple[OfferedPrompt, ...]:
        """List the prompts; starts the server if necessary."""
        listing = await self.tool_context.connection.prompts()
        found = (_make_prompt(one) for one in listing.prompts)
        return tuple(one for one in found if one is not None)

    async def prompt(self, prompt: OfferedPrompt, arguments: Mapping[str, str]) -> str:
        """Fill in a prompt, as the text of a message."""
        prompt.check(arguments)
        result = await self.tool_context.connection.get_prompt(
            prompt.name, dict(arguments), timeout_s=MCP_CONTENT_S
        )
        text = await asyncio.to_thread(self._render_prompt, result)
        if not text:
            raise MCPServerError(self.server, f"gave nothing for the prompt {prompt.name!r}.")
        return text

    def _render_prompt(self, result: "GetPromptResult") -> str:
        files = ResultFiles(self.tool_context.files)
        messages = result.messages[:MCP_BLOCKS_MAX]
        # The person sees all that is sent: nothing in it may be invisible.
        parts = [
            (one.role, clean_text(block_text(one.content, files), MCP_PROMPT_CHARS_MAX))
            for one in messages
        ]
        if all(role == "user" for role, _ in parts):
            text = "\n\n".join(part for _, part in parts if part)
        else:
            text = "\n\n".join(f"{role}: {part}" for role, part in parts if part)
        return clean_text(text, MCP_PROMPT_CHARS_MAX)


def _make_resource(one: "Resource") -> OfferedResource:
    return OfferedResource(one.uri, _describe(one.title or one.name, one.description))


def _make_template(one: "ResourceTemplate") -> OfferedResource:
    literal_part = one.uri_template.partition("{")[0]
    return OfferedResource(
        literal_part,
        _describe(one.uri_template, one.title or one.description or one.name),
        is_template=True,
    )


def _make_prompt(one: "Prompt") -> OfferedPrompt | None:
    arguments = one.arguments or []
    names = [one.name, *(argument.name for argument in arguments)]
    if len(arguments) > MCP_PROMPT_ARGUMENTS_MAX or not all(map(_is_one_word, names)):
        return None
    return OfferedPrompt(
        one.name,
        in_one_line(one.title or one.description or "", MCP_DESCRIPTION_SHOWN_CHARS_MAX),
        tuple(
            PromptParameter(
                argument.name,
                in_one_line(argument.description or "", MCP_DESCRIPTION_SHOWN_CHARS_MAX),
                bool(argument.required),
            )
            for argument in arguments
        ),
    )


def _describe(name: str, description: str | None) -> str:
    parts: Iterable[str] = (
        in_one_line(name, _NAME_CHARS_MAX),
        in_one_line(description or "", MCP_DESCRIPTION_SHOWN_CHARS_MAX),
    )
    return ": ".join(part for part in parts if part)


def _is_visible_uri(uri: str) -> bool:
    return len(uri) <= MCP_URI_CHARS_MAX and in_one_line(uri, MCP_URI_CHARS_MAX) == uri != ""


def _is_one_word(name: str) -> bool:
    """Return whether a person can type the name and see all of it."""
    shown = in_one_line(name, MCP_PROMPT_NAME_CHARS_MAX)
    return shown == name and bool(name) and not any(c.isspace() or c in "='\"\\" for c in name)
