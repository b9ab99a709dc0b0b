"""The faults a model makes in the strings of an edit. Each gives both strings, or `None`."""

import json
import re
from collections.abc import Callable
from random import Random

Strings = tuple[str, str]
Fault = Callable[[str, str, Random], Strings | None]


def _each_line(change: Callable[[str], str]) -> Fault:
    def fault(old: str, new: str, random: Random) -> Strings | None:
        del random
        spoilt = ["\n".join(change(line) for line in text.split("\n")) for text in (old, new)]
        return (spoilt[0], spoilt[1]) if spoilt[0] != old else None

    return fault


def _both(change: Callable[[str], str]) -> Fault:
    def fault(old: str, new: str, random: Random) -> Strings | None:
        del random
        return (change(old), change(new)) if change(old) != old else None

    return fault


def _old_only(fault: Fault) -> Fault:
    def spoilt(old: str, new: str, random: Random) -> Strings | None:
        strings = fault(old, new, random)
        return strings and (strings[0], new)

    return spoilt


def _nothing(old: str, new: str, random: Random) -> Strings:
    del random
    return old, new


def _trailing(old: str, new: str, random: Random) -> Strings:
    """Put spaces at the end of some lines, of equal lines alike."""
    lines = sorted({*old.split("\n"), *new.split("\n")})
    chosen = {line for line in lines if random.random() < 0.5} or {old.split("\n", maxsplit=1)[0]}
    old, new = (
        "\n".join(line + "  " if line in chosen else line for line in text.split("\n"))
        for text in (old, new)
    )
    return old, new


def _dedented(old: str, new: str, random: Random) -> Strings | None:
    del random
    filled = [line for text in (old, new) for line in text.split("\n") if line.strip()]
    depth = min(len(line) - len(line.lstrip(" ")) for line in filled)
    if not depth:
        return None
    return _cut(old, depth), _cut(new, depth)


def _cut(text: str, depth: int) -> str:
    return "\n".join(line[depth:] if line.strip() else line for line in text.split("\n"))


def _deeper(line: str) -> str:
    return f"    {line}" if line.strip() else line


def _first_line_late(old: str, new: str, random: Random) -> Strings | None:
    del random
    depths = {len(text) - len(text.lstrip(" ")) for text in (old, new)}
    return (old.lstrip(" "), new.lstrip(" ")) if len(depths) == 1 and max(depths) else None


def _tabs(line: str) -> str:
    depth = len(line) - len(line.lstrip(" "))
    return "\t" * (depth // 4) + " " * (depth % 4) + line[depth:]


def _half(line: str) -> str:
    depth = len(line) - len(line.lstrip(" "))
    return line if depth % 4 else line[depth // 2 :]


def _wider_gap(old: str, new: str, random: Random) -> Strings | None:
    """Write one space inside a line twice, in both strings if the line is in both."""
    lines = [line for line in old.split("\n") if re.search(r"\S \S", line)]
    if not lines:
        return None
    line = random.choice(lines)
    spoilt = re.sub(r"(\S) (\S)", r"\1  \2", line, count=1)
    old, new = (
        "\n".join(spoilt if one == line else one for one in text.split("\n")) for text in (old, new)
    )
    return old, new


def _typo(old: str, new: str, random: Random) -> Strings | None:
    lines = _inner_kept(old, new)
    lines = [line for line in lines if len(line.strip()) > 8]
    if not lines:
        return None
    line = random.choice(lines)
    at = len(line) - random.randint(2, 6)
    return _with_line(old, new, line, line[:at] + line[at + 1 :])


def _dropped(old: str, new: str, random: Random) -> Strings | None:
    lines = _inner_kept(old, new)
    return _with_line(old, new, random.choice(lines), None) if lines else None


def _dropped_blank(old: str, new: str, random: Random) -> Strings | None:
    del random
    spoilt = ["\n".join(ln for ln in text.split("\n") if ln.strip()) for text in (old, new)]
    return (spoilt[0], spoilt[1]) if spoilt[0] != old else None


def _inner_kept(old: str, new: str) -> list[str]:
    """Give lines that are once in both strings, neither the first nor the last."""
    one, two = old.split("\n"), new.split("\n")
    return [ln for ln in one[1:-1] if ln.strip() and one.count(ln) == two.count(ln) == 1]


def _with_line(old: str, new: str, line: str, spoilt: str | None) -> Strings:
    instead = [] if spoilt is None else [spoilt]
    old, new = (
        "\n".join(part for one in text.split("\n") for part in (instead if one == line else [one]))
        for text in (old, new)
    )
    return old, new


# Faults of white space and escapes that leave no doubt about what is meant.
HONEST: dict[str, Fault] = {
    "none": _nothing,
    "spaces at line ends": _trailing,
    "spaces at line ends, old only": _old_only(_trailing),
    "common indent left out": _dedented,
    "four spaces deeper": _each_line(_deeper),
    "first line without indent": _first_line_late,
    "tabs for spaces": _each_line(_tabs),
    "two spaces for four": _each_line(_half),
    "blank lines around": _both(lambda text: f"\n{text}\n\n"),
    "CRLF": _both(lambda text: text.replace("\n", "\r\n")),
    "escaped as JSON": _both(lambda text: json.dumps(text, ensure_ascii=False)[1:-1]),
    "one space too many": _wider_gap,
}

# Faults that lose something. What is still certain is applied, the rest is refused.
LOSSY: dict[str, Fault] = {
    "blank lines around, old only": _old_only(_both(lambda text: f"\n\n{text}\n")),
    "escaped line ends": _both(lambda text: text.replace("\n", "\\n")),
    "escaped quotes": _both(lambda text: text.replace('"', '\\"')),
    "indents left out": _each_line(lambda line: line.lstrip()),
    "indents left out, old only": _old_only(_each_line(lambda line: line.lstrip())),
    "common indent left out, old only": _old_only(_dedented),
    "white space collapsed": _each_line(lambda line: re.sub(r"(?<=\S)\s+(?=\S)", " ", line)),
    "all on one line": _both(lambda text: " ".join(text.split())),
    "typo in a kept line": _typo,
    "a kept line left out": _dropped,
    "blank lines left out": _dropped_blank,
}

# Those after which the old string can still be in the file as it is, from within a line on.
WITHIN_A_LINE = frozenset(
    {
        "common indent left out",
        "common indent left out, old only",
        "first line without indent",
        "indents left out",
        "indents left out, old only",
        "tabs for spaces",
        "two spaces for four",
    }
)
