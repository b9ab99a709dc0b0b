"""What a content does not name stays as the stored SKILL.md has it."""

from dataclasses import replace

import pytest

from dataagent_core.skills import Skill, SkillTrigger, TriggerPattern
from dataagent_core.skills.skill_file import render_skill
from dataagent_core.skills.skill_package import assemble_skill
from dataagent_server.agents.skills.skill_draft import complete_text
from dataagent_server.common.errors import InvalidRequestError

STORED = Skill(
    id="",
    name="custom-review",
    description="Review code our way.",
    content="Read it twice.",
    license="MIT",
    compatibility="git",
    metadata={"author": "ann", "execution_template": '{"steps": []}'},
    allowed_tools=("read_file",),
    display_name="Review",
    summary="Reviews",
    category="code",
    tags=("a", "b"),
    trigger=SkillTrigger(
        type="keyword",
        phrases=("look at it",),
        patterns=(TriggerPattern(pattern="review", weight=2.0),),
    ),
    version="2.0.0",
    status="deprecated",
    tools=("grep", "read_file"),
    always_offered=True,
    requires_tools=("grep",),
)


def complete(content: str) -> Skill:
    read = assemble_skill(complete_text(content, render_skill(STORED)).encode(), ())
    assert read.skill is not None
    return replace(read.skill, id="", digest="")


@pytest.mark.parametrize(
    ("content", "changes"),
    [
        ("Read it thrice.", {}),
        ("\n\ntext\n\n---\n\nmore", {"content": "text\n\n---\n\nmore"}),
        ("", {"content": ""}),
        ("--------\nRead it thrice.", {"content": "--------\nRead it thrice."}),
        ("---\ntags: [c]\n---\nRead it thrice.", {"tags": ("c",)}),
        ("---\nname: other\nallowedTools: grep\n---\nRead it thrice.",
         {"name": "other", "allowed_tools": ("grep",)}),
        ("---\nmetadata:\n  status: active\n  by: bob\n---\nRead it thrice.",
         {"status": "active", "metadata": {**STORED.metadata, "by": "bob"}}),
        # Named, with no value.
        ("---\ntriggers:\nallowed-tools:\nalways-offered: false\n---\nRead it thrice.",
         {"allowed_tools": None, "always_offered": False,
          "trigger": replace(STORED.trigger, phrases=())}),
        ("\ufeff---\ntrigger_type: semantic\n---\nRead it thrice.",
         {"trigger": replace(STORED.trigger, type="semantic")}),
    ],
)  # fmt: skip
def test_what_a_content_does_not_name_stays(content: str, changes: dict[str, object]):
    wanted = {"content": "Read it thrice.", **changes}
    assert complete(content) == replace(STORED, **wanted)


def test_a_content_that_names_all_is_stored_as_it_was_written():
    content = render_skill(STORED).replace("description:", "description:  ") + "\n<!-- kept -->\n"
    assert complete_text(content, render_skill(STORED)) == content


def test_a_stored_text_that_cannot_be_read_is_replaced():
    content = "---\nname: a\ndescription: b\n---\n"
    assert complete_text(content, "---\nname: [") == content


def test_a_broken_content_is_refused():
    with pytest.raises(InvalidRequestError, match="line"):
        complete_text("---\nname: [\n---\n", render_skill(STORED))
