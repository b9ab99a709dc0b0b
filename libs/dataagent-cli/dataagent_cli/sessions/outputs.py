"""`sessions output`: the full outputs that a conversation shows shortened."""

from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from langchain_core.messages import ToolMessage

from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import sanitize_text
from dataagent_cli.output.table import print_table
from dataagent_cli.sessions.lookup import existing_session
from dataagent_cli.wiring import App, open_stores
from dataagent_core.config.limits import KEPT_OUTPUT_DAYS_MAX, OUTPUT_LINES_DEFAULT
from dataagent_core.errors import NotFoundError
from dataagent_core.session import runs_of
from dataagent_core.tools.output.output_keeper import parse_kept_name
from dataagent_core.tools.pipeline.outcome import unpack


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """The output of one call, and its file."""

    call_id: str
    tool: str
    file: Path

    @property
    def size_bytes(self) -> int | None:
        """The size; None if the file was removed."""
        return self.file.stat().st_size if self.file.is_file() else None


@dataclass(frozen=True, slots=True)
class OutputPage:
    """The range of lines."""

    offset: int
    limit: int

    @classmethod
    def of(cls, offset: int, limit: int | None) -> "OutputPage":
        """Make a page of the default length unless one is given."""
        return cls(offset, limit or OUTPUT_LINES_DEFAULT)


async def list_outputs(app: App, session_id: str, as_json: bool) -> None:
    """Print the calls of a session with longer outputs."""
    found = await _outputs(app, session_id)
    if as_json:
        write_document(
            [{"call_id": o.call_id, "tool": o.tool, "bytes": o.size_bytes} for o in found]
        )
    elif not found:
        app.output.note(app.say("no_outputs"))
    else:
        heads = [app.say(f"col.{name}") for name in ("call", "tool", "bytes")]
        print_table(app.output, heads, [_row(app, output) for output in found])


async def show_output(
    app: App, session_id: str, call_id: str, page: OutputPage, as_json: bool
) -> None:
    """Print a page of a call's output."""
    found = [output for output in await _outputs(app, session_id) if output.call_id == call_id]
    if not found:
        raise NotFoundError(app.say("no_output", call=call_id, session=session_id))
    lines, more = _read(app, found[-1], page)
    if as_json:
        write_document({"call_id": call_id, "offset": page.offset, "lines": lines, "more": more})
        return
    for line in lines:
        app.output.line(sanitize_text(line))
    if more:
        app.output.note(app.say("more_output", offset=page.offset + len(lines)))


async def _outputs(app: App, session_id: str) -> list[ToolOutput]:
    async with open_stores(app.settings) as stores:
        session = await existing_session(app, stores, session_id)
        runs = await runs_of(stores.log, session_id)
        entries = [entry for run in runs for entry in await stores.log.journal(run.run_id)]
    folder = app.settings.home / "agents" / session.assistant_id / "artifacts"
    found: list[ToolOutput] = []
    for entry in entries:
        result = None if entry.payload is None else unpack(entry.payload)
        name = parse_kept_name(result.text) if isinstance(result, ToolMessage) else None
        if isinstance(result, ToolMessage) and name is not None:
            found.append(ToolOutput(result.tool_call_id, entry.tool_name, folder / name))
    return found


def _read(app: App, output: ToolOutput, page: OutputPage) -> tuple[list[str], bool]:
    try:
        with output.file.open(encoding="utf-8", errors="replace") as file:
            wanted = islice(file, page.offset, page.offset + page.limit + 1)
            lines = [line.rstrip("\n") for line in wanted]
    except FileNotFoundError:
        raise NotFoundError(
            app.say("output_gone", call=output.call_id, days=KEPT_OUTPUT_DAYS_MAX)
        ) from None
    return lines[: page.limit], len(lines) > page.limit


def _row(app: App, output: ToolOutput) -> list[str]:
    size = output.size_bytes
    return [output.call_id, output.tool, app.say("removed") if size is None else f"{size:,}"]
