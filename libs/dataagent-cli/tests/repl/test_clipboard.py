"""A picture in the clipboard, read with a fake system program."""

import errno
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from drawn_pictures import noise, picture
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.keys import Keys

from dataagent_cli.conversation.attachments import store_picture
from dataagent_cli.messages import Messages
from dataagent_cli.repl.input import clipboard
from dataagent_cli.repl.input.clipboard import attach_clipboard, read_picture
from dataagent_cli.repl.input.keys import build_keys
from dataagent_core.errors import NotFoundError, ValidationError

SAY = Messages("en")
PICTURE = picture(30, 20)

Install = Callable[[str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install one program; PATH has nothing else."""
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    (tmp_path / "shot").write_bytes(PICTURE)
    (tmp_path / "shot.hex").write_text(f"\u00abdata PNGf{PICTURE.hex().upper()}\u00bb\n")

    def installed(name: str, does: str) -> None:
        program = programs / name
        program.write_text(f"#!/bin/sh\ncd '{tmp_path}'\nPATH=/usr/bin:/bin\n{does}\n")
        program.chmod(0o755)

    return installed


@pytest.mark.parametrize(
    ("name", "does"),
    [
        ("xclip", 'case "$*" in "-selection clipboard -target image/png -out") cat shot;; esac'),
        ("wl-paste", 'case "$*" in "--no-newline --type image/png") cat shot;; esac'),
        ("pngpaste", 'test "$1" = - && cat shot'),
        ("osascript", "cat shot.hex"),
    ],
)
async def test_the_program_of_each_system_gives_the_picture(
    name: str, does: str, install: Install
) -> None:
    install(name, does)
    assert await read_picture(SAY) == (PICTURE, "png")


async def test_a_picture_is_put_where_the_agent_can_open_it(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("xclip", "cat shot")
    workspace = tmp_path / "workspace"
    workspace.mkdir()

    # A workspace may contain the folder of temporary files.
    monkeypatch.setattr(tempfile, "tempdir", str(workspace))

    async def store_here(name: str, data: bytes) -> str:
        return store_picture(name, data, workspace)

    name = await attach_clipboard(store_here, SAY)
    assert name.startswith("uploads/clipboard-")
    assert (workspace / name).read_bytes() == PICTURE
    assert [one.name for one in workspace.iterdir()] == ["uploads"]


async def test_a_full_disk_is_a_sentence(install: Install) -> None:
    install("xclip", "cat shot")

    async def store_nowhere(name: str, data: bytes) -> str:
        raise OSError(errno.ENOSPC, "No space left on device", name)

    with pytest.raises(ValidationError, match="into the workspace: No space left on device"):
        await attach_clipboard(store_nowhere, SAY)


async def test_a_group_that_may_not_be_ended_any_more_is_no_error(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(group: int, number: int) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    install("xclip", "cat shot")
    monkeypatch.setattr(os, "killpg", refuse)
    assert await read_picture(SAY) == (PICTURE, "png")


async def test_without_a_program_a_sentence_says_which_to_install(
    install: Install,
) -> None:
    with pytest.raises(NotFoundError, match=r"Install wl-clipboard .* xclip .* pngpaste"):
        await read_picture(SAY)


@pytest.mark.parametrize(
    ("does", "why"),
    [
        ("echo words", "holds no picture. Text"),
        ("echo 'Error: target image/png not available' >&2; exit 1", "not available"),
    ],
    ids=["text", "refusal"],
)
async def test_a_clipboard_without_a_picture_is_a_sentence(
    does: str, why: str, install: Install
) -> None:
    install("xclip", does)
    with pytest.raises(NotFoundError, match=why):
        await read_picture(SAY)


async def test_a_program_that_never_answers_is_ended(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clipboard, "CLIPBOARD_S_MAX", 0.5)
    install("xclip", "exec sleep 60")
    with pytest.raises(NotFoundError, match=r"> 0\.5 s"):
        await read_picture(SAY)


async def test_more_than_can_be_sent_is_not_read_to_its_end(install: Install) -> None:
    install("xclip", "exec cat /dev/zero")
    with pytest.raises(ValidationError, match="more than 20,000,000 bytes"):
        await read_picture(SAY)


async def test_the_limit_counts_the_bytes_of_a_picture_and_not_its_digits(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = noise(700, 700)
    (tmp_path / "shot.hex").write_text(f"\u00abdata PNGf{large.hex().upper()}\u00bb\n")
    install("osascript", "cat shot.hex")
    monkeypatch.setattr(clipboard, "PICTURE_BYTES_MAX", len(large))
    assert await read_picture(SAY) == (large, "png")
    monkeypatch.setattr(clipboard, "PICTURE_BYTES_MAX", len(large) - 1)
    with pytest.raises(ValidationError, match=f"more than {len(large) - 1:,} bytes"):
        await read_picture(SAY)


def test_ctrl_v_asks_for_the_clipboard() -> None:
    asked: list[str] = []

    class Shell:
        def __getattr__(self, name: str) -> Callable[..., None]:
            return lambda *_: asked.append(name)

    shell = Shell()
    keys = build_keys(shell, Buffer(), Buffer())  # pyright: ignore[reportArgumentType] (it notes what is called)
    (bound,) = keys.get_bindings_for_keys((Keys.ControlV,))
    bound.handler(None)  # pyright: ignore[reportArgumentType] (the handler has no use for it)
    assert asked == ["paste_picture"]
