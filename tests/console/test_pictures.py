"""The pictures in docs/console.md are those of the walk, and small."""

import re
from pathlib import Path

import pytest
from PIL import Image

from tests.console.first_chart import MOMENTS
from tests.console.visitor import WIDE

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "console"
BYTES_MAX = 80_000


@pytest.mark.requirement("F9-pictures")
def test_the_document_shows_every_moment_of_the_walk_in_its_order():
    text = (ROOT / "docs" / "console.md").read_text(encoding="utf-8")
    assert tuple(re.findall(r"\]\(console/([\w-]+)\.png\)", text)) == MOMENTS
    assert sorted(path.stem for path in PICTURES.glob("*.png")) == sorted(MOMENTS)


@pytest.mark.requirement("F9-pictures")
@pytest.mark.parametrize("name", MOMENTS)
def test_a_picture_is_a_whole_screen_in_few_bytes(name: str):
    file = PICTURES / f"{name}.png"
    assert file.stat().st_size < BYTES_MAX
    with Image.open(file) as picture:
        assert picture.size == (WIDE["width"], WIDE["height"])
