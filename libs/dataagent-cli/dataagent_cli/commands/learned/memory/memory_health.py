"""`memory doctor` and `memory export`."""

from dataclasses import asdict
from pathlib import Path
from typing import Final

from dataagent_cli.commands.learned.memory.stored_memories import (
    SHORT_ID_CHARS,
    find_owner,
    open_memories,
)
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.wiring import App, open_stores
from dataagent_core.config.files.atomic_write import write_atomically
from dataagent_core.memory.doctor.doctor_report import DoctorReport
from dataagent_core.memory.transfer.memory_lines import write_line

_DEFECTS: Final = ("duplicate", "loop", "stale", "ungrounded", "secret")


async def examine_memories(app: App, *, as_json: bool) -> None:
    """Print how many memories have which defect, and how to look at one."""
    async with open_stores(app.settings) as stores:
        report = await open_memories(app, stores).service.doctor(find_owner())
    if as_json:
        write_document(asdict(report))
        return
    app.output.sentence(app.say("memory_doctor_total", count=report.total), bold=True)
    found = _list_found(report)
    for name, count, rate, _ in found:
        app.output.sentence(f"{app.say(f'memory_doctor.{name}')}: {count} ({rate:.1%})")
    if not found:
        app.output.sentence(app.say("memory_doctor_clean"))
    for _, _, _, examples in found[:1]:
        app.output.note(
            app.say("memory_doctor_how", name=one_line(examples[0])[:SHORT_ID_CHARS]), dim=True
        )


async def export_memories(app: App, file: Path | None) -> None:
    """Write every memory as a line of JSON."""
    owner, service = find_owner(), open_memories(app).service
    lines = [write_line(memory) async for memory in service.export(owner)]
    text = "".join(lines)
    if file is None:
        app.output.answer(text)
        return
    write_atomically(file, text.encode("utf-8", "backslashreplace"))
    path = one_line(str(file))
    app.output.note(app.say("memory_exported", count=len(lines), path=path))


def _list_found(report: DoctorReport) -> list[tuple[str, int, float, tuple[str, ...]]]:
    """List the defects that were found, each with its share and some ids."""
    findings = [(name, getattr(report, name)) for name in _DEFECTS]
    return [
        (name, finding.count, finding.rate, finding.examples)
        for name, finding in findings
        if finding.count
    ]
