"""Paths of pictures in a message: dragged or pasted, they become `@` names the agent can open."""

import re
from pathlib import Path

from dataagent_cli.conversation.attaching import PICTURE_ENDINGS
from dataagent_cli.conversation.workbench import Workbench
from dataagent_core.session.mentions import mention

# As shells and terminals write a path: quoted, with escaped blanks, or bare.
_PATH = re.compile(r"""'([^'\n]+)'|"([^"\n]+)"|((?:\\.|[^\s'"\\])+)""")


async def with_pictures(text: str, workbench: Workbench) -> str:
    """Name every picture that is there as the agent can open it."""
    result: list[str] = []
    end = 0
    for found in _PATH.finditer(text):
        path = found[1] or found[2] or re.sub(r"\\(.)", r"\1", found[3])
        named = text[: found.start()].endswith("@")
        if not named and _is_picture(path, workbench.here):
            result += [text[end : found.start()], mention(await workbench.attached(path))]
            end = found.end()
    return "".join([*result, text[end:]])


def _is_picture(path: str, here: Path) -> bool:
    if Path(path).suffix.lower() not in PICTURE_ENDINGS or path.startswith("@"):
        return False
    try:
        return (here / Path(path).expanduser()).is_file()
    except (OSError, RuntimeError, ValueError):  # no such user, a name too long, a zero byte
        return False
