"""DataAgent's own files are no sources, whatever path leads to them."""

from pathlib import Path

import pytest

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.sources.own_files import refuse_own_files
from dataagent_core.tools.data.sources.source_kinds import make_source_spec


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    for folder in (home / "results", home / "sample" / "shop"):
        folder.mkdir(parents=True)
        (folder / "a.csv").write_text("a\n1\n")
    (tmp_path / "homely").mkdir()
    (tmp_path / "homely" / "a.csv").write_text("a\n1\n")
    (tmp_path / "link").symlink_to(home)
    (home / "sample" / "out").symlink_to(home / "results")
    return home


@pytest.mark.parametrize(
    "path", ["home", "home/results", "home/results/a.csv", "link/results", "home/sample/out/a.csv"]
)
def test_what_lies_in_the_home_is_refused(home: Path, path: str):
    spec = make_source_spec("x", str(home.parent / path), None)
    with pytest.raises(ValidationError, match="DataAgent's own folder"):
        refuse_own_files(spec, home, home / "sample")


@pytest.mark.parametrize("path", ["home/sample/shop", "home/sample/shop/a.csv", "homely/a.csv"])
def test_the_sample_and_what_lies_elsewhere_are_sources(home: Path, path: str):
    refuse_own_files(make_source_spec("x", str(home.parent / path), None), home, home / "sample")


def test_a_folder_of_clickhouse_in_the_home_is_refused(home: Path):
    spec = make_source_spec("x", f"chdb://{home}/results", None)
    with pytest.raises(ValidationError, match="own folder"):
        refuse_own_files(spec, home, home / "sample")


def test_a_server_is_no_file(home: Path):
    spec = make_source_spec("x", "postgresql://a@b/c", None)
    refuse_own_files(spec, home, home / "sample")
