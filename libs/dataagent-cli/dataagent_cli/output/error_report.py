"""Reports the error of a failed command: one line on stderr, and with `--json` one on stdout.

No error is swallowed; the caller ends with the code returned here.
"""

import os
import traceback
from collections.abc import Generator
from contextlib import contextmanager

from dataagent_cli.messages import load_messages
from dataagent_cli.output import exit_codes
from dataagent_cli.output.sanitize import sanitize_text
from dataagent_cli.output.streams import Output
from dataagent_core.errors import DataAgentError


@contextmanager
def errors_as_json(wanted: bool) -> Generator[None]:
    """Write an error that passes through as an `error` event, for programs that read stdout."""
    try:
        yield
    except BrokenPipeError:  # the reader is gone
        raise
    except Exception as error:
        if wanted:
            _write_event(error)
        raise


def _write_event(error: Exception) -> None:
    from dataagent_cli.output.json_lines import write_event
    from dataagent_core.events import ErrorEvent

    if isinstance(error, DataAgentError):
        event = ErrorEvent(error=error.for_person, code=error.code, recoverable=error.recoverable)
    else:
        event = ErrorEvent(error=_with_type_name(error), recoverable=False)
    write_event(event)


def report(error: DataAgentError) -> int:
    """Print an error we raised on purpose."""
    _write("error", error.for_person)
    return exit_codes.of_error(error.code)


def report_file_problem(error: OSError) -> int:
    """Print an error of the file system, which the person can usually fix."""
    if os.environ.get("DATAAGENT_DEBUG"):
        traceback.print_exception(error)
    say = load_messages()
    _write("error", say("file_problem", path=error.filename, problem=error.strerror))
    return exit_codes.FAILED


def report_unexpected(error: BaseException) -> int:
    """Print a defect on one line; the traceback only on request."""
    if os.environ.get("DATAAGENT_DEBUG"):
        traceback.print_exception(error)
    say = load_messages()
    _write("error", say("unexpected", text=_with_type_name(error)))
    return exit_codes.FAILED


def _with_type_name(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _write(key: str, text: str) -> None:
    Output.of_process().note(sanitize_text(load_messages()(key, text=text)))
