"""Where the font is that charts and reports are set in: Noto Sans SC, under the OFL.

It comes with a dependency of which nothing else is used and nothing is imported. One face for
Latin and Chinese, so that a chart looks the same on a laptop and in a bare container.
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from dataagent_core.errors import ConfigurationError

FONT_FAMILY = "Noto Sans SC"
_CARRIER = "zhplot"


@cache
def font_folder() -> Path:
    """Give the folder that holds the font file."""
    found = find_spec(_CARRIER)
    for place in (found.submodule_search_locations if found else None) or ():
        folder = Path(place) / "fonts"
        if folder.is_dir():
            return folder
    raise ConfigurationError(
        f"The font of charts and reports is missing: the package {_CARRIER!r} that carries it is "
        "not installed. Install dataagent-core with its dependencies."
    )
