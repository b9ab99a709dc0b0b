"""Reads the prompt, from the command line or from standard input, as strict UTF-8."""

import sys
from dataclasses import dataclass

from dataagent_cli.conversation.port import STANDARD_INPUT, AttachedText, message_text
from dataagent_cli.messages import Messages
from dataagent_cli.output.streams import Output
from dataagent_cli.run import piped_input as piped
from dataagent_core.config.limits import PROMPT_CHARS_MAX
from dataagent_core.errors import ValidationError

_FROM_STDIN = "-"
_UTF8_BYTES_MAX = 4


@dataclass(frozen=True, slots=True)
class Prompt:
    """The person's prompt, and the text that was piped in beside it."""

    text: str
    # Whether it was typed on the command line; standard input may be anybody's text.
    is_typed: bool
    piped: AttachedText | None = None


def read_prompt(argument: str, say: Messages, output: Output) -> Prompt:
    """Return the prompt; `-` reads it from standard input, which is otherwise put below it."""
    from dataagent_core.session import check_prompt

    if argument == _FROM_STDIN:
        text = _read_stdin(say)
        check_prompt(text)
        return Prompt(text, is_typed=False)
    own = _check_utf8(argument, say)
    # An empty prompt is a mistake even with piped text, and a long one leaves no space below it.
    check_prompt(own)
    below = _read_piped(own, say, output)
    check_prompt(message_text(own, below))
    return Prompt(own, is_typed=True, piped=below)


def _read_piped(prompt: str, say: Messages, output: Output) -> AttachedText | None:
    descriptor = piped.standard_input()
    if descriptor is None or not piped.is_piped(descriptor):
        return None
    try:
        found = piped.read_piped(descriptor, piped.max_piped_chars(prompt), say)
    except piped.SilentPipeError:
        output.note(say("stdin_silent", seconds=piped.FIRST_BYTE_S_MAX), fg="yellow")
        return None
    if found is None:
        return None
    if found.cut:
        output.note(say("piped_cut", chars=len(found.text)), fg="yellow")
    return AttachedText(piped.mark_text(found, say), STANDARD_INPUT)


def _read_stdin(say: Messages) -> str:
    # One more than the limit shows that it is too long.
    data = sys.stdin.buffer.read(PROMPT_CHARS_MAX * _UTF8_BYTES_MAX + _UTF8_BYTES_MAX)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.end == len(data) and len(data) > PROMPT_CHARS_MAX * _UTF8_BYTES_MAX:
            return data.decode("utf-8", "replace")  # cut inside a character; too long anyway
        byte = data[error.start]
        raise ValidationError(say("not_utf8_stdin", position=error.start + 1, byte=byte)) from error


def _check_utf8(argument: str, say: Messages) -> str:
    try:
        argument.encode()
    except UnicodeEncodeError as error:  # bytes that are not UTF-8 reach Python as lone surrogates
        raise ValidationError(say("not_utf8_argument")) from error
    return argument
