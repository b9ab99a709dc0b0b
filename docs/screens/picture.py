"""A screen as tmux captured it, as an SVG that needs nothing from elsewhere. Pure."""

from io import StringIO

from rich.ansi import AnsiDecoder
from rich.console import Console
from rich.terminal_theme import TerminalTheme

# Rich's own template names fonts of a CDN; this one takes what the reader's machine has. The width
# of every piece is given in the SVG, so another font moves nothing.
_TEMPLATE = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
    <style>
    .{unique_id}-matrix {{
        font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
        font-size: {char_height}px;
        line-height: {line_height}px;
        font-variant-east-asian: full-width;
    }}
    .{unique_id}-title {{
        font-size: 18px;
        font-family: system-ui, sans-serif;
    }}
    {styles}
    </style>
    <defs>
    <clipPath id="{unique_id}-clip-terminal">
      <rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
    </clipPath>
    {lines}
    </defs>
    {chrome}
    <g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
    {backgrounds}
    <g class="{unique_id}-matrix">
    {matrix}
    </g>
    </g>
</svg>
"""  # noqa: E501 (the template's own lines)

_THEME = TerminalTheme(
    (22, 24, 29),
    (216, 219, 226),
    [
        (40, 44, 52),
        (240, 113, 120),
        (134, 194, 110),
        (232, 190, 106),
        (110, 168, 242),
        (199, 146, 234),
        (92, 200, 208),
        (190, 194, 203),
    ],
    [
        (107, 114, 128),
        (255, 139, 146),
        (158, 217, 133),
        (250, 213, 136),
        (138, 190, 255),
        (216, 173, 250),
        (125, 220, 227),
        (245, 247, 250),
    ],
)


def picture(captured: str, *, name: str, title: str, columns: int) -> str:
    """Draw a screen; the same screen gives the same picture."""
    console = Console(
        width=columns,
        record=True,
        file=StringIO(),
        force_terminal=True,
        color_system="truecolor",
        legacy_windows=False,
    )
    # All lines by one decoder: a style goes on over a line's end.
    for line in AnsiDecoder().decode(captured.rstrip("\n")):
        console.print(line, soft_wrap=True, no_wrap=True, overflow="crop")
    svg = console.export_svg(
        title=title, theme=_THEME, code_format=_TEMPLATE, unique_id=f"screen-{name}"
    )
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"
