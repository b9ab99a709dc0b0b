"""Whether a change of a file happened, for a run that ended before it could write that down.

Before a call `expect` notes the content hashes before and after it, and the journal keeps the note;
after a crash `look` compares the file with it. So it is known, not guessed.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from dataagent_core.errors import DataAgentError, NotFoundError
from dataagent_core.tools.files.edit_file import EditItem, apply_edits
from dataagent_core.tools.files.edits.edit_application import Edit
from dataagent_core.tools.files.mounts import Mounts
from dataagent_core.tools.files.read_ledger import hash_content
from dataagent_core.tools.files.text_codec import decode

ChangeState = Literal["happened", "did_not_happen", "unknown"]


class ExpectedChange(TypedDict):
    """A file's content hashes before and after a call; `None` where there is no file."""

    path: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class ProbeFinding:
    """What a look at the file says about a call whose outcome is unknown."""

    state: ChangeState
    text: str


@dataclass(frozen=True, slots=True)
class FileProbe:
    """Takes notes before calls of file tools, and reads them after a crash. It blocks."""

    mounts: Mounts

    def expect(self, tool: str, args: Mapping[str, Any]) -> str | None:
        """Note what a call will make of its file, as text for the journal."""
        expected = forecast_change(self.mounts, tool, args)
        return None if expected is None else json.dumps(expected)

    def look(self, note: str | None) -> ProbeFinding | None:
        """Compare the file of a call with what was noted before it; `None` without a note."""
        if note is None:
            return None
        expected: ExpectedChange = json.loads(note)
        state = compare_change(self.mounts, expected)
        return ProbeFinding(state, f"{expected['path']!r} {_describe_state(state, expected)}")


def forecast_change(mounts: Mounts, tool: str, args: Mapping[str, Any]) -> ExpectedChange | None:
    """Work out what a call makes of its file; `None` for other tools and calls that will fail."""
    try:
        place = mounts.locate(str(args.get("file_path", "")))
        data = place.root.read_bytes(place.path)
        match tool:
            case "edit_file" | "multi_edit":
                decoded = decode(data, place.display_path)
                steps = apply_edits(decoded.text, _edits(tool, args))
                after = hash_content(decoded.encode(steps[-1].text))
            case "delete_file":
                after = None
            case _:
                return None
    except (DataAgentError, OSError, TypeError, ValueError):
        # Whether the call makes sense is for the tool to say.
        return None
    return ExpectedChange(path=place.display_path, before=hash_content(data), after=after)


def compare_change(mounts: Mounts, expected: ExpectedChange) -> ChangeState:
    """Compare the file as it is now with what was expected."""
    try:
        place = mounts.locate(expected["path"])
        now = hash_content(place.root.read_bytes(place.path))
    except NotFoundError:
        now = None
    except (DataAgentError, OSError):
        return "unknown"
    if now == expected["after"]:
        return "happened"
    return "did_not_happen" if now == expected["before"] else "unknown"


def _describe_state(state: ChangeState, expected: ExpectedChange) -> str:
    match state:
        case "happened" if expected["after"] is None:
            return "is gone: it has happened."
        case "happened":
            return "holds exactly what the call makes of it: it has happened."
        case "did_not_happen":
            return "is exactly as it was before the call: it has not happened."
        case "unknown":
            return "is neither as it was before the call nor as the call would leave it."


def _edits(tool: str, args: Mapping[str, Any]) -> list[Edit]:
    wanted = args.get("edits", []) if tool == "multi_edit" else [args]
    items = [EditItem.model_validate(item, extra="ignore") for item in wanted]
    return [Edit(item.old_string, item.new_string, item.replace_all) for item in items]
