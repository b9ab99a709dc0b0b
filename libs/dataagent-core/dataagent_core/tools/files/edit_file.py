"""The tools `edit_file` and `multi_edit`: replace parts of a file, all or none.

The result has a unified diff for the model and the user.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, Field

from dataagent_core.config.limits import EDITS_MAX, OUTPUT_LINES_DEFAULT
from dataagent_core.errors import ValidationError
from dataagent_core.sandbox.paths.protected_paths import refuse_protected
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.files.edits.edit_application import Edit, EditedText, apply_edit
from dataagent_core.tools.files.file_access import FILE_PATH, FileAccess, FileAnswer
from dataagent_core.tools.files.syntax import find_broken_syntax
from dataagent_core.tools.files.text_codec import DecodedText, decode
from dataagent_core.tools.output.hunks import build_hunks
from dataagent_core.tools.output.output_bounds import split_lines, truncate_line


@dataclass(frozen=True, slots=True)
class TextDiff:
    """A unified diff and its counts."""

    text: str
    added: int
    removed: int


def make_unified_diff(path: str, before: str, after: str) -> TextDiff:
    """Compare two versions of a file."""
    lines = build_hunks(split_lines(before), split_lines(after))
    added = sum(line.startswith("+") for line in lines)
    removed = sum(line.startswith("-") for line in lines)
    return TextDiff(
        "\n".join([f"--- a{path}", f"+++ b{path}", *_truncate_diff(lines)]), added, removed
    )


def _truncate_diff(lines: list[str]) -> list[str]:
    shown = [truncate_line(line) for line in lines[:OUTPUT_LINES_DEFAULT]]
    left = len(lines) - len(shown)
    return [*shown, f"... ({left} more lines of this diff are not shown)"] if left else shown


_OLD = Field(description="The text to replace, copied from the file without line numbers")
_NEW = Field(description="What it becomes")
_ALL = Field(description="Replace every place, not just a single one")


class EditItem(BaseModel):
    """One edit of several."""

    old_string: str = _OLD
    new_string: str = _NEW
    replace_all: bool = Field(default=False, description="Replace every place")


@define_tool("compensable", with_artifact=True)
def edit_file(
    access: FileAccess,
    file_path: Annotated[str, FILE_PATH],
    old_string: Annotated[str, _OLD],
    new_string: Annotated[str, _NEW],
    *,
    replace_all: Annotated[bool, _ALL] = False,
) -> FileAnswer:
    """Replace text in a file you have read. old_string must be found in exactly one place.

    Small differences in white space are forgiven where it is certain what is meant; the answer
    says how the place was found and shows the change. An edit after which the file can no
    longer be parsed is refused; ask for it again, unchanged, if you mean it.
    """
    return change_file(access, file_path, [Edit(old_string, new_string, replace_all)])


@define_tool("compensable", with_artifact=True)
def multi_edit(
    access: FileAccess,
    file_path: Annotated[str, FILE_PATH],
    edits: Annotated[list[EditItem], Field(description="Applied in order, each on the result")],
) -> FileAnswer:
    """Make several edits of one file you have read: all of them, or none if one fails."""
    wanted = [Edit(item.old_string, item.new_string, item.replace_all) for item in edits]
    return change_file(access, file_path, wanted)


def change_file(access: FileAccess, path: str, edits: Sequence[Edit]) -> FileAnswer:
    """Apply edits to a file and say what changed."""
    place = access.mounts.locate(path).to_change()
    with access.ledger.lock:
        content = access.read_seen(place)
        decoded = decode(content.data, place.display_path)
        steps = apply_edits(decoded.text, edits)
        data = decoded.encode(steps[-1].text)
        # What may not be written at all is refused as such, not for its syntax.
        refuse_protected(place.inside)
        damage = find_damage(place.display_path, decoded.text, steps)
        if damage and not access.refused.is_repeated(place.display_path, decoded.text, edits):
            raise ValidationError(
                f"Nothing was changed, because {damage} If you mean it, make the same call again."
            )
        saw = access.write(place, data, content)
    return _report(place.display_path, decoded, steps), saw


def apply_edits(text: str, edits: Sequence[Edit]) -> list[EditedText]:
    """Apply edits one after the other; the error of one that fails says which it is."""
    if not 1 <= len(edits) <= EDITS_MAX:
        raise ValidationError(f"edits holds {len(edits)} edits; give 1 to {EDITS_MAX} of them.")
    steps: list[EditedText] = []
    for number, edit in enumerate(edits, 1):
        try:
            steps.append(apply_edit(steps[-1].text if steps else text, edit))
        except ValidationError as error:
            if len(edits) == 1:
                raise
            which = f"Edit {number} of {len(edits)} failed, so none was made. "
            raise ValidationError(which + str(error)) from error
    if steps[-1].text == text:
        raise ValidationError("The edits undo each other: nothing would change.")
    return steps


def find_damage(path: str, before: str, steps: Sequence[EditedText]) -> str | None:
    """Say what the edits would damage that nobody may have meant; `None` if nothing."""
    for step in steps:
        if step.joined_line is not None:
            return (
                f"line {step.joined_line} would be joined with the one after it: old_string has a "
                "line end there and new_string has none."
            )
    error = find_broken_syntax(path, before, steps[-1].text)
    return error and f"{path} can be parsed now and could not be after the edit: {error}."


def _report(path: str, before: DecodedText, steps: Sequence[EditedText]) -> str:
    diff = make_unified_diff(path, before.text, steps[-1].text)
    places = sum(step.places for step in steps)
    ways = ", ".join(dict.fromkeys(step.strategy for step in steps))
    head = f"Edited {path}: {places} {'place' if places == 1 else 'places'}, match: {ways}, "
    return f"{head}+{diff.added} -{diff.removed} lines.\n{diff.text}"
