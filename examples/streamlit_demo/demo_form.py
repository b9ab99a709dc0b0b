"""What is typed into the form, checked before it is sent. Pure."""

import json
from typing import Any

from demo_texts import Texts


class FormProblem(Exception):  # noqa: N818 (it is told to a person, not handled)
    """What to tell a person about what they typed."""


def server_of(
    texts: Texts, *, name: str, command: str, url: str, args: str, env: str, disabled: bool
) -> dict[str, Any]:
    """Make the body of `POST /users/{id}/mcp-servers` of what was typed."""
    if not name.strip():
        raise FormProblem(texts["name_missing"])
    if not command.strip() and not url.strip():
        raise FormProblem(texts["start_missing"])
    server: dict[str, Any] = {"name": name.strip(), "disabled": disabled}
    if url.strip():
        server["url"] = url.strip()
    if command.strip():
        server["command"] = command.strip()
    if (given := _parsed(args, [], texts["args_wrong"])) != []:
        _check(isinstance(given, list) and _texts(given), texts["args_wrong"])
        server["args"] = given
    if (given := _parsed(env, {}, texts["env_wrong"])) != {}:
        _check(isinstance(given, dict) and _texts([*given.values()]), texts["env_wrong"])
        server["env"] = given
    return server


def _parsed(text: str, empty: Any, wrong: str) -> Any:
    if not text.strip():
        return empty
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        why = str(error) if isinstance(error, ValueError) else ""
        raise FormProblem(wrong.format(why=why).strip()) from None


def _texts(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _check(right: bool, wrong: str) -> None:  # noqa: FBT001 (a condition)
    if not right:
        raise FormProblem(wrong.format(why="").strip())
