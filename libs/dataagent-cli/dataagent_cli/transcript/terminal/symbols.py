"""Our own signs, and what stands for them where there is only ASCII. Pure.

Each has one cell either way, so a line keeps its width when it is put in other signs.
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
    """Put a finished line in the signs the terminal has."""
    if not look.unicode:
        line.plain = line.plain.translate(_ASCII)
    return line
