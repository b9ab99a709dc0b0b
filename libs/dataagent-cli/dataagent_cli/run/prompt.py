"""Reading the prompt, from the command line or from standard input, as strict UTF-8."""

import sys

from dataagent_cli.messages import Messages
from dataagent_core.config.limits import PROMPT_CHARS_MAX
from dataagent_core.errors import ValidationError

_FROM_STDIN = "-"
_UTF8_BYTES_MAX = 4


def read_prompt(argument: str, say: Messages) -> str:
    """Return the text the person means; `-` stands for standard input."""
    from dataagent_core.session import check_prompt

    text = _read_stdin(say) if argument == _FROM_STDIN else _checked(argument, say)
    check_prompt(text)
    return text


def _read_stdin(say: Messages) -> str:
    # One more than can be valid is enough to be told that it is too long.
    data = sys.stdin.buffer.read(PROMPT_CHARS_MAX * _UTF8_BYTES_MAX + _UTF8_BYTES_MAX)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.end == len(data) and len(data) > PROMPT_CHARS_MAX * _UTF8_BYTES_MAX:
            return data.decode("utf-8", "replace")  # cut inside a character; too long anyway
        byte = data[error.start]
        raise ValidationError(say("not_utf8_stdin", position=error.start + 1, byte=byte)) from error


def _checked(argument: str, say: Messages) -> str:
    try:
        argument.encode()
    except UnicodeEncodeError as error:  # bytes that are no text reach Python as lone surrogates
        raise ValidationError(say("not_utf8_argument")) from error
    return argument
