"""`permissions held`: shows the changes that were held back from a workspace, to decide."""

from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import spell_out
from dataagent_cli.permissions.rule_files import RulesLocation
from dataagent_cli.wiring import App
from dataagent_core.sandbox.host_guard.held_changes import HeldChange, HeldChangeStore


def decide_held(
    app: App, location: RulesLocation, *, take: str | None, drop: str | None, as_json: bool
) -> None:
    """Apply one change or drop it; without either, list all with their contents."""
    held = HeldChangeStore(location.home, location.project)
    if take is not None:
        change = held.take(take)
        if not as_json:
            app.output.note(app.say("held_taken", path=change.shown))
    if drop is not None:
        held.drop(drop)
    changes = held.all()
    if as_json:
        write_document([_document(change) for change in changes])
        return
    if not changes:
        app.output.note(app.say("held_none", path=location.project))
    for change in changes:
        app.output.line(spell_out(f"{change.number}  {change.shown}"))
        for line in _text(change).splitlines():
            app.output.line(spell_out(f"    {line}"))


def _document(change: HeldChange) -> dict[str, object]:
    return {
        "number": change.number,
        "path": change.shown,
        "link": change.is_link,
        "content": _text(change),
    }


def _text(change: HeldChange) -> str:
    return (change.content or b"").decode("utf-8", "replace")
