"""The tools, resources and prompts that the MCP conformance suite asks a server for, by their names.

They are added to our own server, so that what is tested is our application: its `/mcp`, its entry,
its ledger, its limits. Their words are the suite's.
"""

import asyncio
import base64
import io
import json
import struct
import wave
import zlib
from typing import Any

import mcp_types as types
from fastmcp import Context, FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.prompts import Message
from fastmcp.tools.base import ToolResult


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def red_pixel() -> bytes:
    """Draw the smallest PNG."""
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\x00\xff\x00\x00")
    parts = (_chunk(b"IHDR", header), _chunk(b"IDAT", pixels), _chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def silence() -> bytes:
    """Record the shortest WAV."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8_000)
        sound.writeframes(b"\x00\x00")
    return file.getvalue()


PNG = red_pixel()
IMAGE = types.ImageContent(type="image", data=base64.b64encode(PNG).decode(), mime_type="image/png")


def embedded(uri: str, text: str, mime_type: str = "text/plain") -> types.EmbeddedResource:
    """Embed a text."""
    contents = types.TextResourceContents(uri=uri, mime_type=mime_type, text=text)
    return types.EmbeddedResource(type="resource", resource=contents)


def add_contents(server: FastMCP[Any]) -> None:
    """Add tools that answer with each kind of content."""

    @server.tool
    async def test_simple_text() -> str:
        """Answer with a text."""
        return "This is a simple text response for testing."

    @server.tool
    async def test_image_content() -> ToolResult:
        """Answer with an image."""
        return ToolResult(content=[IMAGE])

    @server.tool
    async def test_audio_content() -> ToolResult:
        """Answer with a sound."""
        data = base64.b64encode(silence()).decode()
        sound = types.AudioContent(type="audio", data=data, mime_type="audio/wav")
        return ToolResult(content=[sound])

    @server.tool
    async def test_embedded_resource() -> ToolResult:
        """Answer with an embedded resource."""
        text = "This is an embedded resource content."
        return ToolResult(content=[embedded("test://embedded-resource", text)])

    @server.tool
    async def test_multiple_content_types() -> ToolResult:
        """Answer with several contents."""
        data = json.dumps({"test": "data", "value": 123})
        mixed = embedded("test://mixed-content-resource", data, "application/json")
        text = types.TextContent(type="text", text="Multiple content types test:")
        return ToolResult(content=[text, IMAGE, mixed])

    @server.tool
    async def test_error_handling() -> str:
        """Fail."""
        raise ToolError("This tool intentionally returns an error for testing")


def add_talking(server: FastMCP[Any]) -> None:
    """Add tools that say something while they work."""

    @server.tool
    async def test_tool_with_logging(ctx: Context) -> str:
        """Log three times."""
        for text in ("started", "processing data", "completed"):
            await ctx.info(
                f"Tool execution {text}" if text != "processing data" else f"Tool {text}"
            )
            await asyncio.sleep(0.05)
        return "Logged."

    @server.tool
    async def test_logging_tool(ctx: Context) -> str:
        """Log once, to whoever wants to hear it."""
        await ctx.info("Logged")
        return "Logged."

    @server.tool
    async def test_tool_with_progress(ctx: Context) -> str:
        """Report progress three times."""
        for percent in (0, 50, 100):
            await ctx.report_progress(percent, 100)
            await asyncio.sleep(0.05)
        return "Done."

    @server.tool
    async def test_reconnection(ctx: Context) -> str:
        """Close the stream while it works."""
        await ctx.close_sse_stream()
        await asyncio.sleep(0.1)
        return "Reconnected."


def add_resources(server: FastMCP[Any]) -> None:
    """Add resources."""

    @server.resource("test://static-text", name="static-text", mime_type="text/plain")
    async def static_text() -> str:
        """Give a text."""
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", name="static-binary", mime_type="image/png")
    async def static_binary() -> bytes:
        """Give an image."""
        return PNG

    @server.resource("test://watched-resource", name="watched", mime_type="text/plain")
    async def watched() -> str:
        """Give something that may be watched."""
        return "Watched."

    @server.resource("test://template/{id}/data", name="template", mime_type="application/json")
    async def template(id: str) -> str:  # noqa: A002 (the suite's name)
        """Give what the address names."""
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


def add_prompts(server: FastMCP[Any]) -> None:
    """Add prompts, and completion of their arguments."""

    @server.prompt
    async def test_simple_prompt() -> str:
        """Say one thing."""
        return "This is a simple prompt for testing."

    @server.prompt
    async def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
        """Repeat two arguments."""
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @server.prompt
    async def test_prompt_with_embedded_resource(resourceUri: str) -> list[Message]:  # noqa: N803 (the suite's name)
        """Embed a resource."""
        shown = embedded(resourceUri, "Embedded resource content for testing.")
        return [Message(shown), Message("Please process the embedded resource above.")]

    @server.prompt
    async def test_prompt_with_image() -> list[Message]:
        """Show an image."""
        return [Message(IMAGE), Message("Please analyze the image above.")]

    @server.completion
    async def complete(_ref: Any, argument: Any, _context: Any) -> list[str]:
        """Complete what begins like a place."""
        return [word for word in ("paris", "park", "party") if word.startswith(argument.value)]
