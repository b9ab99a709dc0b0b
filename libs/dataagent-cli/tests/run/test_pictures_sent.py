"""Pictures named on the command line reach the model's endpoint."""

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

from drawn_pictures import opened, pdf, picture

Command = Callable[..., tuple[int, str, str]]

ANSWER = {"text": "A teal field."}


def sent(served: Any) -> list[tuple[int, int]]:
    """Return the sizes of the pictures in the last message."""
    content = served.requests[-1].body["messages"][-1]["content"]
    parts = content if isinstance(content, list) else []
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    return [opened(base64.b64decode(url.partition(";base64,")[2])).size for url in urls]


def test_a_picture_from_elsewhere_reaches_the_model(
    command: Command, endpoint: Any, workspace: Path, tmp_path: Path
) -> None:
    (tmp_path / "my shot.png").write_bytes(picture(4_096, 1_024))
    prompt = f"What's on {tmp_path}/my\\ shot.png, and who's that?"
    with endpoint(ANSWER) as served:
        code, _, err = command("run", prompt, "--model", "openai:gpt-4o")
        assert code == 0, err
        assert sent(served) == [(2_048, 512)]
    (kept,) = (workspace / "uploads").iterdir()
    assert kept.name.startswith("my shot-")


def test_a_picture_of_the_workspace_is_sent_from_where_it_is(
    command: Command, endpoint: Any, workspace: Path
) -> None:
    (workspace / "a.png").write_bytes(picture(30, 20))
    (workspace / "b.png").write_bytes(picture(20, 30))
    with endpoint(ANSWER) as served:
        code, _, err = command("run", "Compare a.png and @b.png.", "--model", "openai:gpt-4o")
        assert code == 0, err
        assert sent(served) == [(30, 20), (20, 30)]
    assert not (workspace / "uploads").exists()


def test_a_model_that_cannot_see_is_said(command: Command, endpoint: Any, workspace: Path) -> None:
    (workspace / "a.png").write_bytes(picture(30, 20))
    with endpoint(ANSWER) as served:
        code, out, err = command("run", "Look at @a.png")
        assert (code, out) == (0, "A teal field.\n")
        assert sent(served) == []
    assert "/a.png is not shown to the model: the model openai:scripted takes no pictures" in err


def test_a_document_from_elsewhere_reaches_the_model(
    command: Command, endpoint: Any, tmp_path: Path
) -> None:
    (tmp_path / "paper.pdf").write_bytes(pdf())
    with endpoint(ANSWER) as served:
        code, _, err = command("run", f"Read {tmp_path}/paper.pdf", "--model", "openai:gpt-4o")
        assert code == 0, err
        part = served.requests[-1].body["messages"][-1]["content"][-1]
    assert base64.b64decode(part["file"]["file_data"].partition(";base64,")[2]) == pdf()


def test_words_that_were_piped_in_attach_nothing(
    dataagent: Any, endpoint: Any, workspace: Path, tmp_path: Path
) -> None:
    (tmp_path / "private.png").write_bytes(picture(30, 20))
    named = f"see {tmp_path}/private.png".encode()
    with endpoint(ANSWER) as served:
        for prompt in ("-", "Review this"):
            done = dataagent("run", prompt, "--model", "openai:gpt-4o", stdin=named)
            assert done.returncode == 0, done.stderr
            assert sent(served) == []
    assert not (workspace / "uploads").exists()
