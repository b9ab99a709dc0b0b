"""The font of charts and reports comes with the package, and its licence with it."""

from pathlib import Path

import dataagent_core
from dataagent_core.tools.data.charts.fonts import FONT_FAMILY, locate_font_folder


def test_the_font_is_the_packages_own_and_its_licence_stands_beside_it():
    from fontTools.ttLib import TTFont

    folder = locate_font_folder()
    assert folder.is_relative_to(Path(dataagent_core.__file__).parent)
    assert "SIL Open Font License, Version 1.1" in (folder / "OFL.txt").read_text()
    (file,) = folder.glob("*.ttf")
    with TTFont(file) as font:
        assert font["name"].getDebugName(1) == FONT_FAMILY
        assert set(map(ord, "Az09 中文退货€")) <= set(font.getBestCmap() or ())


def test_no_package_is_installed_for_its_font():
    project = Path(dataagent_core.__file__).parents[1] / "pyproject.toml"
    assert "zhplot" not in project.read_text()
