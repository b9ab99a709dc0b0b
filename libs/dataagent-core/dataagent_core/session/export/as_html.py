"""A session as one HTML page: no script, nothing from the network, all content escaped.

Answers are shown as plain text, not as HTML made from their Markdown: a page opened from a disk
must not do what a tool's result says.
"""

from html import escape
from typing import assert_never

from dataagent_core.session.export.neutral import as_text, visible
from dataagent_core.session.export.plans import ExportedPlan
from dataagent_core.session.export.turns import (
    AnswerPart,
    ErrorPart,
    ExportedSession,
    ExportedTurn,
    FileChangePart,
    RequestPart,
    Step,
    ToolCallPart,
    turns_of,
)

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
.meta { color: #767676; font-size: .85rem; }
.question { border-left: 4px solid #4a7dbd; padding: .2rem .8rem; font-weight: 600; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; margin: .8rem 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #8881; padding: .6rem; }
details { margin: .4rem 0; }
summary { cursor: pointer; }
.error { border-left: 4px solid #c0392b; padding-left: .8rem; }
@media print { details > pre { display: block; } }
"""


def html_page(exported: ExportedSession) -> str:
    """Write the whole session."""
    session = exported.session
    turns = turns_of(exported)
    title = _escape(" ".join(exported.title.split()) or session.session_id)
    period = f"{session.created_at:%Y-%m-%d %H:%M} to {session.last_active:%Y-%m-%d %H:%M} UTC"
    body = "\n".join(_format_turn(number, turn) for number, turn in enumerate(turns, 1))
    return f"""<!doctype html>
<html lang="und">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{_STYLE}</style>
</head>
<body>
<header>
<h1>{title}</h1>
<p class="meta">Session {_escape(session.session_id)}, {period}, {len(turns)} questions.</p>
</header>
<main>
{body}
</main>
</body>
</html>
"""


def _format_turn(number: int, turn: ExportedTurn) -> str:
    model = f", {_escape(turn.model)}" if turn.model else ""
    parts = [
        f'<section aria-label="Question {number}">',
        f'<p class="meta">{turn.asked_at:%Y-%m-%d %H:%M} UTC{model}</p>',
        f'<div class="question text">{_escape(turn.question)}</div>',
        *(() if turn.plan is None else (_format_plan(turn.plan),)),
        *(_format_step(step) for step in turn.steps),
    ]
    if turn.reason is None:
        parts.append('<p class="meta">This run was not finished when the session was exported.</p>')
    elif turn.reason != "completed":
        parts.append(f'<p class="meta">The run ended: {_escape(turn.reason)}.</p>')
    return "\n".join([*parts, "</section>"])


def _format_plan(plan: ExportedPlan) -> str:
    reason = f": {_escape(as_text(plan.reason, 500))}" if plan.reason else ""
    lines = [f'<p class="meta">Plan, {plan.status.replace("_", " ")}{reason}</p>', "<ul>"]
    for step in plan.steps:
        head = f"{_escape(step.number)}. {_escape(as_text(step.text, 500))}"
        result = f": {_escape(as_text(step.result, 500))}" if step.result else ""
        line = f'<li>{head} <span class="meta">{_escape(step.outcome)}{result}</span></li>'
        lines.append(line)
    return "\n".join([*lines, "</ul>"])


def _format_step(step: Step) -> str:
    match step:
        case AnswerPart():
            note = ""
            if step.unsourced:
                note = f'\n<p class="meta">{step.unsourced} figures here have no source.</p>'
            return f'<div class="text">{_escape(step.text)}</div>{note}'
        case ToolCallPart():
            result = "(no result)" if step.result is None else as_text(step.result)
            return (
                f"<details><summary>{_escape(step.title)}</summary>"
                f"<pre>{_escape(as_text(dict(step.args)))}</pre><pre>{_escape(result)}</pre></details>"
            )
        case FileChangePart():
            head = f"{_escape(step.operation)} {_escape(step.path)}"
            if not step.diff:
                return f'<p class="meta">{head}</p>'
            diff = _escape(as_text(step.diff))
            return f"<details><summary>{head}</summary><pre>{diff}</pre></details>"
        case RequestPart():
            asked, answered = (
                _escape(as_text(step.question, 500)),
                _escape(as_text(step.decision, 500)),
            )
            return f'<p class="meta">Asked {asked}, answered {answered}.</p>'
        case ErrorPart():
            return f'<div class="error text">{_escape(as_text(step.text))}</div>'
        case _:
            assert_never(step)


def _escape(text: str) -> str:
    return escape(visible(text))
