"""Our symbols, and their ASCII replacements. Pure.

Each is one cell wide in both forms, so a line keeps its width.
"""

from rich.text import Text

from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle

OK = "✓"
FAILED = "✗"
RUNNING = "●"
WAITING = "?"
AGENT = "▸"
AGAIN = "↻"
WARNING = "!"
DOT = "·"
BULLET = "•"
QUOTE = "▌"
RULE = "─"
BAR = "│"
YOU = "\u203a"  # a small angle to the right
THOUGHT = "∴"

_ASCII = str.maketrans(
    {
        OK: "+",
        FAILED: "x",
        RUNNING: "*",
        AGENT: ">",
        AGAIN: "~",
        DOT: "-",
        BULLET: "*",
        QUOTE: "|",
        RULE: "-",
        BAR: "|",
        YOU: ">",
        THOUGHT: ":",
        "…": "~",
        "┼": "+",
        "█": "#",
        "░": ".",
    }
)


def draw_symbols(line: Text, look: TerminalStyle) -> Text:
    """Replace the symbols of a finished line if the terminal needs it."""
    if not look.unicode:
        line.plain = line.plain.translate(_ASCII)
    return line
