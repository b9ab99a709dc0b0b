"""The two formats of a log line: JSON for programs, text for a terminal. Pure."""

import json
import logging
from datetime import UTC, datetime
from typing import Any, Final

from dataagent_core.secrets.secret_text import mask_secrets
from dataagent_server.common.logs.request_id import current_request_id
from dataagent_server.settings.limits import LOG_TEXT_CHARS_MAX

# The fields of every record; the others were given as `extra`.
_STANDARD: Final = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "color_message",
}


def facts_of(record: logging.LogRecord) -> dict[str, Any]:
    """Collect the fields of a line, without secrets."""
    facts: dict[str, Any] = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        "level": record.levelname.lower(),
        "logger": record.name,
        "message": _shorten(mask_secrets(record.getMessage())),
    }
    if request_id := current_request_id.get():
        facts["request_id"] = request_id
    for name, value in vars(record).items():
        if name not in _STANDARD and not name.startswith("_"):
            facts[name] = _shorten(mask_secrets(value)) if isinstance(value, str) else value
    if record.exc_info and record.exc_info[0] is not None:
        trace = logging.Formatter().formatException(record.exc_info)
        facts["trace"] = _shorten(mask_secrets(trace))
    return facts


class JsonLines(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(facts_of(record), ensure_ascii=False, default=_redact_value)


class PlainLines(logging.Formatter):
    """Time, level, message, fields; for a person."""

    def format(self, record: logging.LogRecord) -> str:
        facts = facts_of(record)
        trace = facts.pop("trace", None)
        when, level = facts.pop("time")[11:19], facts.pop("level")
        message, _ = facts.pop("message"), facts.pop("logger")
        rest = " ".join(f"{name}={value}" for name, value in facts.items())
        line = f"{when} {level:<7} {message}" + (f"  {rest}" if rest else "")
        return f"{line}\n{trace}" if trace else line


def _shorten(text: str) -> str:
    """Cut out the middle: a trace begins with its origin and ends with its reason."""
    if len(text) <= LOG_TEXT_CHARS_MAX:
        return text
    half = LOG_TEXT_CHARS_MAX // 2
    cut = len(text) - 2 * half
    return f"{text[:half]}\n... ({cut} characters left out) ...\n{text[-half:]}"


def _redact_value(value: object) -> str:
    return mask_secrets(str(value))
