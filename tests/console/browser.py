"""Chromium with the Chinese font of the charts, so that pages look as people see them."""

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from dataagent_core.tools.data.charts.fonts import locate_font_folder
from tests.services.chromium import chromium

_FONTS = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>{folder}</dir>
</fontconfig>
"""


@contextmanager
def running_browser() -> Generator[Browser]:
    """Start Chromium, and end it afterwards."""
    program = chromium()
    with (
        tempfile.NamedTemporaryFile("w", suffix=".conf") as fonts,
        sync_playwright() as playwright,
    ):
        fonts.write(_FONTS.format(folder=locate_font_folder()))
        fonts.flush()
        browser = playwright.chromium.launch(
            executable_path=program,
            args=["--no-sandbox"],
            env={**os.environ, "FONTCONFIG_FILE": fonts.name},
        )
        yield browser
        browser.close()
