"""Pictures and documents that a call has read, as content a client can show its model.

A message holds references to them (`tools/media/media_reference.py`). Pictures are written anew as
for a model, within the size of an answer, and a PDF comes as its text; what cannot be shown is
said.
"""

import asyncio
import base64
import hashlib
from typing import Any, Final

from langchain_core.messages import ToolMessage
from mcp_types import ContentBlock, ImageContent, TextContent

from dataagent_core.config.limits.mcp import MCP_SERVED_IMAGE_BYTES_MAX, MCP_SERVED_IMAGES_MAX
from dataagent_core.config.limits.media import MEDIA_FILE_BYTES_MAX, PICTURE_SIDE_PIXELS_DEFAULT
from dataagent_core.errors import DataAgentError, ValidationError
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.media.media_reference import MediaReference
from dataagent_core.tools.media.pdf_text import read_pdf_text
from dataagent_core.tools.media.picture import fit_picture

# A picture that takes too many bytes is tried with sides of a half, a quarter and an eighth.
_SIDES_PIXELS: Final = tuple(PICTURE_SIDE_PIXELS_DEFAULT // part for part in (1, 2, 4, 8))


async def pictures_in(message: ToolMessage, root: SafeRoot | None) -> list[ContentBlock]:
    """Give what a message refers to: pictures, the text of a PDF, or why it is not sent."""
    blocks: list[Any] = message.content if isinstance(message.content, list) else []
    references = [reference for block in blocks if (reference := MediaReference.read(block))]
    content: list[ContentBlock] = []
    for number, reference in enumerate(references):
        try:
            if number >= MCP_SERVED_IMAGES_MAX:
                raise ValidationError(f"an answer has at most {MCP_SERVED_IMAGES_MAX} pictures.")
            content.append(await _shown(reference, root))
        except DataAgentError as error:
            text = f"The content of {reference.path} is not sent over MCP: {error}"
            content.append(TextContent(type="text", text=text))
    return content


async def _shown(reference: MediaReference, root: SafeRoot | None) -> ContentBlock:
    if root is None:
        raise ValidationError("there is no workspace to read it from.")
    data = await asyncio.to_thread(root.read_bytes, reference.path, MEDIA_FILE_BYTES_MAX)
    if hashlib.sha256(data).hexdigest() != reference.sha256:
        raise ValidationError("it has just been changed. Read it again.")
    if reference.is_pdf:
        found = await read_pdf_text(data)
        missing = f"\n\n[{found.missing}]" if found.missing else ""
        return TextContent(type="text", text=found.text + missing)
    for side_pixels in _SIDES_PIXELS:
        picture = await fit_picture(data, side_pixels)
        if len(picture.data) <= MCP_SERVED_IMAGE_BYTES_MAX:
            encoded = base64.b64encode(picture.data).decode()
            return ImageContent(type="image", data=encoded, mime_type=picture.media_type)
    raise ValidationError(f"it takes more than {MCP_SERVED_IMAGE_BYTES_MAX:,} bytes at any size.")
