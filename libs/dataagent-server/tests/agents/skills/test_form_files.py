"""The files of an upload: what a folder on disk could not hold is refused before it is stored."""

import pytest
from skill_texts import skill_text

from dataagent_core.errors import ValidationError
from dataagent_server.agents.skills.form_files import pack_files

SKILL = ("a/SKILL.md", skill_text("a").encode())


@pytest.mark.parametrize(
    "paths", [("a/b", "a/b/c"), ("a/SKILL.md/x",), ("a/" + "x" * 300,), ("a/../../b",), ("a/b\n",)]
)
def test_paths_that_no_folder_can_hold_are_refused(paths: tuple[str, ...]):
    with pytest.raises(ValidationError, match=r"Rename"):
        pack_files([SKILL, *((path, b"x") for path in paths)])
