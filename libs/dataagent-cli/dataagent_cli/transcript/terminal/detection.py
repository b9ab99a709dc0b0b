"""Detects what a terminal can show, from its environment and its answer to a query. Pure.

The caller may send the terminal a query; `answer` is its reply. A terminal that does not reply is
assumed to support little.
"""

import re
from collections.abc import Mapping

from dataagent_cli.transcript.terminal.terminal_style import CELL_PIXELS, Images, TerminalStyle

_KITTY_OK = re.compile(r"\x1b_G[^\x1b]*i=31[^\x1b]*;OK\x1b\\")
_CELL = re.compile(r"\x1b\[6;(\d{1,4});(\d{1,4})t")
_ATTRIBUTES = re.compile(r"\x1b\[\?([\d;]*)c")
_SIXEL_ATTRIBUTE = "4"
_CELL_PIXELS_MAX = 200
_KITTY_PROGRAMS = frozenset({"ghostty", "WezTerm"})
_ITERM_PROGRAMS = frozenset({"iTerm.app", "mintty"})
_LINKING_PROGRAMS = _KITTY_PROGRAMS | _ITERM_PROGRAMS | {"vscode"}
_VTE_WITH_LINKS = 5000
_MULTIPLEXERS = ("TMUX", "STY", "ZELLIJ")


def detect_style(
    environment: Mapping[str, str],
    *,
    is_terminal: bool,
    width_cells: int,
    height_rows: int,
    encoding: str | None = "utf-8",
    answer: str = "",
) -> TerminalStyle:
    """Return the terminal's style."""
    dumb = not is_terminal or environment.get("TERM", "") in {"", "dumb", "unknown"}
    return TerminalStyle(
        width_cells=width_cells,
        height_rows=height_rows,
        plain=dumb,
        colours=not dumb and not environment.get("NO_COLOR"),
        unicode=_is_unicode(environment, encoding) and not (is_terminal and dumb),
        links=not dumb and _links(environment),
        images="none" if dumb else _images(environment, answer),
        cell_pixels=_cell_pixels(answer),
    )


def is_query_useful(environment: Mapping[str, str]) -> bool:
    """Say whether a query helps: inside a multiplexer no picture would get through."""
    return not any(environment.get(name) for name in _MULTIPLEXERS)


def _images(environment: Mapping[str, str], answer: str) -> Images:
    if not is_query_useful(environment):
        return "none"
    program = environment.get("TERM_PROGRAM", "")
    if (
        _KITTY_OK.search(answer)
        or environment.get("KITTY_WINDOW_ID")
        or environment.get("TERM") == "xterm-kitty"
        or program in _KITTY_PROGRAMS
    ):
        return "kitty"
    if program in _ITERM_PROGRAMS:
        return "iterm2"
    attributes = _ATTRIBUTES.search(answer)
    if attributes and _SIXEL_ATTRIBUTE in attributes[1].split(";")[1:]:
        return "sixel"
    return "none"


def _cell_pixels(answer: str) -> tuple[int, int]:
    """Read the size of a cell; an implausible size is ignored."""
    if found := _CELL.search(answer):
        high, wide = int(found[1]), int(found[2])
        if 0 < high <= _CELL_PIXELS_MAX and 0 < wide <= _CELL_PIXELS_MAX:
            return wide, high
    return CELL_PIXELS


def _links(environment: Mapping[str, str]) -> bool:
    """Say whether addresses may be clickable; VTE's terminals report a version."""
    version = environment.get("VTE_VERSION", "")
    return bool(
        environment.get("TERM_PROGRAM", "") in _LINKING_PROGRAMS
        or environment.get("KITTY_WINDOW_ID")
        or environment.get("WT_SESSION")
        or (version.isdecimal() and int(version) >= _VTE_WITH_LINKS)
    )


def _is_unicode(environment: Mapping[str, str], encoding: str | None) -> bool:
    # A console with Latin fonts only has this name.
    wide = (encoding or "").lower().replace("-", "").replace("_", "")
    return wide in {"utf8", "utf16", "utf32", "gb18030"} and environment.get("TERM") != "linux"
