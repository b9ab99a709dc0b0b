"""The pictures in the documents are those the script makes, and need nothing from elsewhere."""

import os
import re
import sys
from collections.abc import Generator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
SCREENS = ROOT / "docs" / "screens"
PAGES = [(ROOT / page).read_text(encoding="utf-8") for page in ("README.md", "docs/cli.md")]
# References that a viewer would fetch: an address in a style, an attribute or a document type.
FETCHED = re.compile(r"""url\((?!#)|@import|@font-face|<!DOCTYPE|(?:href|src)\s*=\s*["'](?!#)""")
ADDRESS = re.compile(r"https?://[^\s\"'<]+")
NAMESPACE = "http://www.w3.org/2000/svg"


@pytest.fixture(scope="module")
def make() -> Generator[ModuleType]:
    before = list(sys.path)
    sys.path.insert(0, str(SCREENS))
    try:
        yield import_module("make")
    finally:
        sys.path[:] = before


@pytest.fixture(scope="module")
def scenes(make: ModuleType) -> ModuleType:
    return import_module(make.Scene.__module__)


@pytest.mark.requirement("F8-screens")
def test_the_scenes_of_the_script_are_the_pictures_in_the_documents(scenes: ModuleType):
    names = [scene.name for scene in scenes.SCENES]
    shown = [
        name for page in PAGES for name in re.findall(r"\]\([^)]*screens/([^)]+)\.svg\)", page)
    ]
    assert shown == names
    assert sorted(path.stem for path in SCREENS.glob("*.svg")) == sorted(names)


@pytest.mark.requirement("F8-screens")
@pytest.mark.parametrize("path", sorted(SCREENS.glob("*.svg")), ids=lambda path: path.stem)
def test_a_picture_has_nothing_from_the_network_and_nothing_of_the_machine(path: Path):
    svg = path.read_text(encoding="utf-8")
    assert set(ADDRESS.findall(svg)) == {NAMESPACE}
    assert FETCHED.search(svg) is None
    assert "<script" not in svg
    assert str(ROOT) not in svg
    assert "dataagent-screens-" not in svg


@pytest.mark.parametrize(
    "svg", ['<a href="x">', "url(http://x)", '@import "x"', '<image src="x">', "@font-face {"]
)
def test_what_would_be_fetched_is_seen(svg: str):
    assert FETCHED.search(svg)


@pytest.mark.requirement("F8-screens")
def test_a_picture_says_what_its_scene_says(scenes: ModuleType):
    for scene in scenes.SCENES:
        svg = (SCREENS / f"{scene.name}.svg").read_text(encoding="utf-8")
        shown = re.sub(r"<[^>]+>", "", svg).replace("&#160;", " ")
        assert scene.typed in shown, scene.name
        assert scene.title in shown, scene.name


@pytest.mark.requirement("F8-screens")
def test_the_script_draws_a_scene_from_a_real_run(
    make: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    # As in the script, but nothing in the repository is written.
    monkeypatch.setattr(make, "HERE", tmp_path)
    for name in [name for name in os.environ if name.startswith("DATAAGENT_")]:
        monkeypatch.delenv(name)
    make.main(["question"])
    drawn = (tmp_path / "question.svg").read_text(encoding="utf-8")
    words = re.sub(r"<[^>]+>", "", drawn).replace("&#160;", " ")
    assert "28,793,332.28" in words
    assert "figures traced: 7" in words
    assert "sandboxed" in words or "no shell" in words
