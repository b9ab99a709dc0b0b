"""`dataagent context`: how the context window of a session's last model call was used."""

from typing import Any

from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.table import print_table
from dataagent_cli.sessions.lookup import existing_session
from dataagent_cli.wiring import App, open_stores
from dataagent_core.context.report import ContextReport, last_report

_PARTS = ("system", "tools", "skills", "memory", "summary", "history", "results")


async def print_context(app: App, session_id: str, as_json: bool) -> None:
    """Print the tokens of each part of the last request."""
    async with open_stores(app.settings) as stores:
        await existing_session(app, stores, session_id)
        report = await last_report(stores.log, stores.checkpoints, session_id)
    if as_json:
        write_document(None if report is None else _as_json(report))
    elif report is None:
        app.output.note(app.say("no_context"))
    else:
        _print(app, report)


def _print(app: App, report: ContextReport) -> None:
    window = max(report.window_tokens, 1)
    rows = [
        [
            app.say(f"context.{part}"),
            f"{getattr(report, part):,}",
            f"{getattr(report, part) / window:.1%}",
        ]
        for part in _PARTS
    ]
    whole = report.estimated_tokens
    rows.append([app.say("usage_total"), f"{whole:,}", f"{whole / window:.1%}"])
    heads = [app.say(f"context_col.{name}") for name in ("part", "tokens", "share")]
    print_table(app.output, heads, rows)
    app.output.note(app.say("context_window", window=report.window_tokens))
    if report.reported_tokens is not None:
        share = report.cached_share or 0.0
        text = app.say("context_reported", tokens=report.reported_tokens, share=f"{share:.0%}")
        app.output.note(text)


def _as_json(report: ContextReport) -> dict[str, Any]:
    return report.to_state() | {
        "estimated_tokens": report.estimated_tokens,
        "cached_share": report.cached_share,
    }
