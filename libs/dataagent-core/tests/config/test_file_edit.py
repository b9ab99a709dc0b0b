"""Setting a value in `config.toml` without touching what else a person wrote there."""

import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.config.files.config_edit import set_in_file, with_values
from dataagent_core.errors import ConfigurationError

FILE = """\
# mine
model = "openai:old"  # for now
language = "zh"

[models."openai:old"]
model = "not this one"
"""


@pytest.mark.requirement("F8-9-key")
def test_only_the_named_lines_change_and_tables_stay_below():
    changed = with_values(FILE, {"model": "ollama:new", "openai_base_url": "http://x"}, "f")
    assert changed == FILE.replace(
        'model = "openai:old"  # for now', 'model = "ollama:new"'
    ).replace('language = "zh"\n\n', 'language = "zh"\n\nopenai_base_url = "http://x"\n')


@given(st.text(), st.sampled_from(("", FILE, "a = 1", "[t]\nmodel = 1\n", "# c")))
def test_any_value_can_be_set_and_everything_else_stays(value: str, text: str):
    value = value.encode("utf-8", "replace").decode()
    changed = with_values(text, {"model": value}, "f")
    assert tomllib.loads(changed) == {**tomllib.loads(text), "model": value}


@pytest.mark.parametrize(
    "text", ['"model" = "quoted"\n', "model = '''\na\nb'''\n", 'x = """\n[t]\n"""\nmodel.a = 1\n']
)
def test_a_file_written_in_another_way_is_left_alone(text: str):
    with pytest.raises(ConfigurationError):
        with_values(text, {"model": "m"}, "f")


def test_the_file_is_made_for_its_owner_alone_and_a_link_stays_a_link(tmp_path: Path):
    set_in_file(tmp_path / "new" / "config.toml", {"model": "m"})
    assert stat.S_IMODE((tmp_path / "new" / "config.toml").stat().st_mode) == 0o600

    real = tmp_path / "dotfiles.toml"
    real.write_text(FILE)
    real.chmod(0o644)
    link = tmp_path / "config.toml"
    link.symlink_to(real)
    set_in_file(link, {"openai_api_key": "sk-x"})
    assert link.is_symlink()
    assert 'openai_api_key = "sk-x"' in real.read_text()
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
