"""What a call of a file tool would make of a file, for a person who is asked about it. Pure.

The tools do the same by the same functions when they run. Beside that they ask whether the agent
has seen the file as it is now, and whether an edit that damages it was asked for before, which only
the agent that runs can say.
"""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError as NotFitting

from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.tools.files.edit_file import EditItem, apply_edits
from dataagent_core.tools.files.edits.edit_application import Edit
from dataagent_core.tools.files.text_codec import decode
from dataagent_core.tools.files.write_file import encode_text

# Each changes the one file that its `file_path` names.
FILE_CHANGING: Final = frozenset({"write_file", "edit_file", "multi_edit", "delete_file"})


def forecast_content(tool: str, args: Mapping[str, Any], before: bytes | None) -> bytes | None:
    """Say what the file would hold, `None` if it would be gone; raise as the tool would."""
    path = str(args.get("file_path", ""))
    if tool == "write_file":
        content = args.get("content")
        if not isinstance(content, str):
            raise ValidationError("content is no text.")
        return encode_text(content)
    if before is None:
        raise NotFoundError(f"There is no {path!r}.")
    if tool == "delete_file":
        return None
    decoded = decode(before, path)
    return decoded.encode(apply_edits(decoded.text, _edits(args))[-1].text)


def _edits(args: Mapping[str, Any]) -> list[Edit]:
    try:
        items = [EditItem.model_validate(one) for one in args.get("edits", [args])]
    except (NotFitting, TypeError) as error:
        raise ValidationError("the edits have not the form that the tool takes.") from error
    return [Edit(item.old_string, item.new_string, item.replace_all) for item in items]
