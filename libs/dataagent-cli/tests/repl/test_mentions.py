"""`@` names at the prompt: completed with blanks, and pictures that the agent can open."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from dataagent_cli.conversation.file_names import names_beneath
from dataagent_cli.conversation.pictures import with_pictures
from dataagent_cli.conversation.workbench import Workbench
from dataagent_cli.messages import Messages
from dataagent_cli.repl.commands.registry import COMMANDS
from dataagent_cli.repl.input.completion import ReplCompleter
from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.tools import OfferedResource
from dataagent_core.subagents import SubAgent, built_in_subagents


class FakeWorkbench:
    """The files of a folder and one source."""

    def __init__(self, here: Path) -> None:
        self.here = here

    async def file_names(self) -> Sequence[str]:
        return names_beneath(self.here)

    async def source_names(self) -> Sequence[str]:
        return ["shop"]

    async def subagents(self) -> Sequence[SubAgent]:
        return built_in_subagents()

    async def server_names(self) -> Sequence[str]:
        return ["docs", "down"]

    async def resources(self, server: str) -> Sequence[OfferedResource]:
        if server == "down":
            raise MCPServerError("down", "is not there")
        found = OfferedResource("note:///a b", "first: The first note.")
        return [found, OfferedResource("row:///", "row:///{id}", is_template=True)]

    async def attach_picture(self, path: str) -> str:
        return path


@pytest.fixture
def workbench(tmp_path: Path) -> Workbench:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").touch()
    (tmp_path / "my data.csv").touch()
    (tmp_path / "my picture.png").touch()
    return cast("Workbench", FakeWorkbench(tmp_path))


@pytest.mark.parametrize("typed", ["see @my", 'see @"my d', "see @data"])
async def test_a_name_with_blanks_is_completed_in_quotation_marks(
    workbench: Workbench, typed: str
) -> None:
    completer = ReplCompleter(workbench, {}, Messages("en"))
    document = Document(typed)
    found: list[Any] = [
        one async for one in completer.get_completions_async(document, CompleteEvent())
    ]
    chosen = next(one for one in found if "data" in one.text)
    assert typed[: len(typed) + chosen.start_position] + chosen.text == 'see @"my data.csv"'


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("see @do", ["docs:", "down:"]),
        ("see @docs:no", ['"docs:note:///a b"']),
        ("see @docs:", ['"docs:note:///a b"', "docs:row:///"]),
        ("see @down:", []),
        ("ask @code-", ["code-reviewer"]),
    ],
)
async def test_servers_and_their_resources_are_completed(
    workbench: Workbench, typed: str, offered: list[str]
) -> None:
    completer = ReplCompleter(workbench, {}, Messages("en"))
    found = [
        one.text async for one in completer.get_completions_async(Document(typed), CompleteEvent())
    ]
    assert found == offered


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("/plan ", ["show", "edit", "skip", "move", "add", "assign"]),
        ("/plan s", ["show", "skip"]),
        ("/mode p", ["plan"]),
        ("/plan skip 3", []),
        ("/nothing s", []),
        ("/plan assign 2 @code-", ["code-reviewer"]),
    ],
)
async def test_the_first_word_behind_a_command_is_completed(
    workbench: Workbench, typed: str, offered: list[str]
) -> None:
    completer = ReplCompleter(workbench, COMMANDS, Messages("en"))
    found = [
        one.text async for one in completer.get_completions_async(Document(typed), CompleteEvent())
    ]
    assert found == offered


async def test_a_picture_named_already_is_left_and_one_with_blanks_is_quoted(
    workbench: Workbench,
) -> None:
    assert await named('see @"my picture.png"', workbench) == 'see @"my picture.png"'
    assert await named("see my\\ picture.png", workbench) == 'see @"my picture.png"'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("what's on {out}/my\\ shot.png, and who's that?", "what's on {named}, and who's that?"),
        ("see '{out}/my shot.png'!", "see {named}!"),
        ('see "{out}/my shot.png"', "see {named}"),
        ('see @"{out}/my shot.png"', "see {named}"),
        ("see file://{out}/my%20shot.png", "see {named}"),
        ("({out}/my\\ shot.png)", "({named})"),
        ("see {out}/paper.pdf", "see @{out}/paper.pdf"),
        ("see @{out}/paper.pdf", "see @{out}/paper.pdf"),
        ("see {out}/notes.txt and {out}/no.png", "see {out}/notes.txt and {out}/no.png"),
    ],
)
async def test_a_picture_from_elsewhere_is_found_however_it_is_written(
    workbench: Workbench, tmp_path_factory: pytest.TempPathFactory, text: str, told: str
) -> None:
    out = tmp_path_factory.mktemp("elsewhere")
    for name in ("my shot.png", "paper.pdf", "notes.txt"):
        (out / name).touch()
    spelled = {"out": out, "named": f'@"{out}/my shot.png"'}
    assert await named(text.format(**spelled), workbench) == told.format(**spelled)


async def named(text: str, workbench: Workbench) -> str:
    return await with_pictures(text, workbench.here, workbench.attach_picture)
