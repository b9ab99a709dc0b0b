"""Locates the font of charts and reports: Noto Sans SC, under the OFL 1.1.

The file comes along (`font_files/`, with its licence): 30,890 characters, Latin and Chinese in one
face, so that a chart looks the same on a laptop and in a bare container.
"""

from pathlib import Path
from typing import Final

FONT_FAMILY: Final = "Noto Sans SC"
_FOLDER: Final = Path(__file__).parent / "font_files"


def locate_font_folder() -> Path:
    """Return the folder of the font file."""
    return _FOLDER
