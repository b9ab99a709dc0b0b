"""Makes the pictures of docs/console.md from a real walk: `python docs/console/make.py`.

The real server in a home of its own without a model, Debian's Chromium, a table that is the same
every time. What is walked is `tests/console/first_chart.py`, which the tests walk too. Needs the
built console (`make web`) and Chromium (`tests/services/get_chromium.sh`).
"""

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))

from PIL import Image  # noqa: E402 (the tests' folder is known only now)
from playwright.sync_api import Page  # noqa: E402

from tests.console.browser import running_browser  # noqa: E402
from tests.console.first_chart import walk_to_a_chart  # noqa: E402
from tests.console.installation import open_installation  # noqa: E402
from tests.console.random_csv import random_table  # noqa: E402
from tests.console.visitor import visiting  # noqa: E402

SEED = 2026
# Enough for a flat page, and a quarter of the bytes.
COLOURS = 64


def main(folder: Path = HERE) -> None:
    """Walk, and keep each moment."""

    def moment(page: Page, name: str) -> None:
        file = folder / f"{name}.png"
        page.screenshot(path=file, animations="disabled", caret="hide")
        with Image.open(file) as picture:
            small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        small.save(file, optimize=True)
        sys.stdout.write(f"docs/console/{name}.png\n")

    with (
        tempfile.TemporaryDirectory(prefix="dataagent-console-") as home,
        open_installation(Path(home), None, "--sample") as installation,
        running_browser() as browser,
        visiting(browser, installation, user_id="") as newcomer,
    ):
        page = newcomer.context.new_page()
        walk_to_a_chart(page, installation.server.sign_in_url, random_table(SEED), moment)


if __name__ == "__main__":
    main()
