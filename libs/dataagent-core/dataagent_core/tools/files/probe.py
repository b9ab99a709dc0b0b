"""Whether a change of a file happened, for a run that ended before it could write that down.

Before a call `expected_change` notes the content hashes before and after it, for the journal;
after a crash `change_state` compares the file with them. So it is known, not guessed.
"""

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

from dataagent_core.errors import DataAgentError, NotFoundError
from dataagent_core.tools.files.edit import EditItem, apply_edits
from dataagent_core.tools.files.encoding import decode
from dataagent_core.tools.files.ledger import content_hash
from dataagent_core.tools.files.mounts import Mounts
from dataagent_core.tools.files.replace import Edit

ChangeState = Literal["happened", "did_not_happen", "unknown"]


class ExpectedChange(TypedDict):
    """A file's content hashes before and after a call; `None` where there is no file."""

    path: str
    before: str | None
    after: str | None


def expected_change(mounts: Mounts, tool: str, args: Mapping[str, Any]) -> ExpectedChange | None:
    """Work out what a call makes of its file; `None` for other tools and calls that will fail."""
    try:
        place = mounts.locate(str(args.get("file_path", "")))
        data = place.root.read_bytes(place.path)
        match tool:
            case "edit_file" | "multi_edit":
                decoded = decode(data, place.shown)
                steps = apply_edits(decoded.text, _edits(tool, args))
                after = content_hash(decoded.encode(steps[-1].text))
            case "delete_file":
                after = None
            case _:
                return None
    except (DataAgentError, ValueError):
        return None
    return ExpectedChange(path=place.shown, before=content_hash(data), after=after)


def change_state(mounts: Mounts, expected: ExpectedChange) -> ChangeState:
    """Compare the file as it is now with what was expected."""
    place = mounts.locate(expected["path"])
    try:
        now = content_hash(place.root.read_bytes(place.path))
    except NotFoundError:
        now = None
    except DataAgentError:
        return "unknown"
    if now == expected["after"]:
        return "happened"
    return "did_not_happen" if now == expected["before"] else "unknown"


def _edits(tool: str, args: Mapping[str, Any]) -> list[Edit]:
    wanted = args.get("edits", []) if tool == "multi_edit" else [args]
    items = [EditItem.model_validate(item, extra="ignore") for item in wanted]
    return [Edit(item.old_string, item.new_string, item.replace_all) for item in items]
