"""Receives a request's body piece by piece, without storing it."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field

from starlette.requests import ClientDisconnect, Request

from dataagent_core.errors import ValidationError
from dataagent_server.common.errors import PayloadTooLargeError, RequestTimeoutError
from dataagent_server.workspaces.files.multipart import FormReader, PartBegins, PartBytes, PartEnds
from dataagent_server.workspaces.files.uploads import Upload
from dataagent_server.workspaces.limits import UPLOAD_FILES_MAX, UPLOAD_SILENT_S


async def body_pieces(request: Request) -> AsyncGenerator[bytes]:
    """Yield the body as it is received; a silent sender is dropped after a limit."""
    stream = request.stream()
    while True:
        try:
            async with asyncio.timeout(UPLOAD_SILENT_S):
                piece = await anext(stream)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise RequestTimeoutError(
                f"Nothing came for {UPLOAD_SILENT_S:g} seconds, so the upload was given up."
            ) from None
        except ClientDisconnect:
            raise ValidationError("The upload broke off. Send it again.") from None
        if piece:
            yield piece


async def receive_form(request: Request, begin: Callable[[str], Awaitable[Upload]]) -> list[Upload]:
    """Read a form's files into uploads; `begin` opens one by file name. None is finished."""
    reader = FormReader(request.headers.get("content-type", ""))
    uploads: list[Upload] = []
    current: Upload | None = None
    async for piece in body_pieces(request):
        for event in reader.feed(piece):
            match event:
                case PartEnds():
                    if current is not None:
                        await current.collected()
                    current = None
                case PartBegins(filename=filename):
                    current = None
                    if filename is not None:
                        _refuse_too_many(len(uploads))
                        current = await begin(filename)
                        uploads.append(current)
                case PartBytes(data):
                    if current is not None:
                        await current.write(data)
    reader.close()
    if not uploads:
        raise ValidationError("The form holds no file. Send one as a part with a filename.")
    return uploads


@dataclass(slots=True)
class FormParts:
    """A form in memory: its fields by name, and its files with the names they came under."""

    fields: dict[str, str] = field(default_factory=dict[str, str])
    files: list[tuple[str, bytes]] = field(default_factory=list[tuple[str, bytes]])


async def read_form(request: Request, *, bytes_max: int, files_max: int) -> FormParts:
    """Read a whole form that may have so many bytes and files."""
    reader = FormReader(request.headers.get("content-type", ""))
    form = FormParts()
    part: tuple[PartBegins, bytearray] | None = None
    received = 0
    async for piece in body_pieces(request):
        received += len(piece)
        if received > bytes_max:
            raise PayloadTooLargeError(
                f"The form is larger than the {bytes_max:,} bytes possible here.",
                {"max_bytes": bytes_max},
            )
        for event in reader.feed(piece):
            match event:
                case PartBegins():
                    part = (event, bytearray())
                case PartBytes(data):
                    if part is not None:
                        part[1].extend(data)
                case PartEnds():
                    if part is not None:
                        _keep_part(form, *part, files_max)
                    part = None
    reader.close()
    return form


def _keep_part(form: FormParts, begins: PartBegins, data: bytearray, files_max: int) -> None:
    if len(form.files) + len(form.fields) >= files_max:
        raise ValidationError(f"A form may hold {files_max:,} parts here. Send a zip file.")
    if begins.filename is not None:
        form.files.append((begins.filename, bytes(data)))
        return
    try:
        form.fields[begins.name] = data.decode()
    except UnicodeDecodeError:
        raise ValidationError(f"The field {begins.name[:80]!r} is not UTF-8.") from None


def _refuse_too_many(count: int) -> None:
    if count >= UPLOAD_FILES_MAX:
        raise ValidationError(
            f"A form may hold {UPLOAD_FILES_MAX} files. Send the rest in another."
        )
