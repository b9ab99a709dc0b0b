"""Regular expressions of strangers, searched in linear time by RE2.

Python's own engine can be made to work for years by a short pattern. RE2 cannot: it knows no
look-around and no back-references, and a pattern that needs them is refused with that reason.
"""

from typing import Any, Final, NewType

from dataagent_core.errors import ValidationError

PATTERN_CHARS_MAX: Final = 500
# Of its program. Time is steps times text, and `{1,999}` alone makes thousands of steps.
PATTERN_STEPS_MAX: Final = 1_000
# Of a compiled pattern and its search; RE2 refuses what needs more.
_MEMORY_BYTES_MAX: Final = 1 << 20

LinearRegex = NewType("LinearRegex", object)


def compile_linear(pattern: str) -> LinearRegex:
    """Compile a pattern, or say why it cannot be used. Letters match in both cases."""
    # Imported here: few skills have a regular expression.
    import re2  # pyright: ignore[reportMissingTypeStubs]

    if len(pattern) > PATTERN_CHARS_MAX:
        raise ValidationError(
            f"A regular expression may have {PATTERN_CHARS_MAX} characters, and this one has "
            f"{len(pattern)}: split it into several patterns."
        )
    engine: Any = re2
    options = engine.Options()
    options.log_errors = False
    options.case_sensitive = False
    options.max_mem = _MEMORY_BYTES_MAX
    try:
        compiled = engine.compile(_make_utf8(pattern), options)
    except engine.error as error:
        raise ValidationError(
            f"The regular expression {pattern!r} cannot be used: {_describe(error)}. It is "
            "searched in linear time (RE2), without look-around and back-references."
        ) from None
    if compiled.programsize > PATTERN_STEPS_MAX:
        raise ValidationError(
            f"The regular expression {pattern!r} has {compiled.programsize:,} steps, "
            f"{PATTERN_STEPS_MAX:,} are possible: shorten its repetitions."
        )
    return LinearRegex(compiled)


def count_steps(regex: LinearRegex) -> int:
    """Say how large the program of a pattern is: a search takes this times the text, at worst."""
    compiled: Any = regex
    return compiled.programsize


def find_linear(regex: LinearRegex, text: str) -> tuple[int, int] | None:
    """Say from where to where the pattern occurs first; `None` where it does not."""
    compiled: Any = regex
    found = compiled.search(_make_utf8(text))
    return None if found is None else found.span()


def _make_utf8(text: str) -> str:
    """Replace half a character, as JSON can carry it: RE2 reads UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _describe(error: Exception) -> str:
    reason = error.args[0] if error.args else ""
    return reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
