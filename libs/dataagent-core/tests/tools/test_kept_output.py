"""The whole of a long output is kept, for a while and up to a bound."""

import os
import time
from pathlib import Path

import pytest
from langchain_core.messages import ToolMessage

from dataagent_core.config.limits import KEPT_OUTPUT_DAYS_MAX, OUTPUT_BYTES_MAX
from dataagent_core.tools.output import output_keeper
from dataagent_core.tools.output.output_keeper import (
    OutputKeeper,
    parse_kept_name,
    remove_old_outputs,
)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_what_is_cut_says_where_the_whole_of_it_is(tmp_path: Path):
    text = "line\n" * OUTPUT_BYTES_MAX
    message = ToolMessage(text, tool_call_id="c")
    OutputKeeper(tmp_path, "/artifacts/")(message, "key")
    name = parse_kept_name(message.text)
    assert name is not None
    assert (tmp_path / name).read_text() == text
    assert parse_kept_name("no more than this") is None


def test_an_old_output_goes_when_another_is_kept(tmp_path: Path):
    keeper = OutputKeeper(tmp_path, "/artifacts/")
    old, young = (Path(keeper.keep(text, text)).name for text in ("old", "young"))
    (tmp_path / "notes.txt").write_text("somebody else's")
    long_ago = time.time() - (KEPT_OUTPUT_DAYS_MAX + 1) * 86_400
    for name in (old, "notes.txt"):
        os.utime(tmp_path / name, (long_ago, long_ago))
    new = Path(keeper.keep("new", "new")).name
    assert names(tmp_path) == {young, new, "notes.txt"}


def test_the_oldest_go_first_when_it_is_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    keeper = OutputKeeper(tmp_path, "/artifacts/")
    kept = [Path(keeper.keep("x" * 100, str(number))).name for number in range(4)]
    for number, name in enumerate(kept):
        os.utime(tmp_path / name, (time.time() + number, time.time() + number))
    monkeypatch.setattr(output_keeper, "KEPT_OUTPUTS_BYTES_MAX", 250)
    remove_old_outputs(tmp_path)
    assert names(tmp_path) == set(kept[2:])
    monkeypatch.setattr(output_keeper, "KEPT_OUTPUTS_BYTES_MAX", 1)
    remove_old_outputs(tmp_path)
    assert names(tmp_path) == {kept[3]}


def test_a_folder_that_is_not_there_is_tidy(tmp_path: Path):
    remove_old_outputs(tmp_path / "nothing")
