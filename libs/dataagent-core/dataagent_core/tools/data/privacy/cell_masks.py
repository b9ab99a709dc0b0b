"""What a model is shown of a cell, wherever it is: in previews, exports, charts and reports."""

from collections.abc import Callable
from typing import Any, cast

from dataagent_core.tools.data.privacy.value_mask import mask_value, scrub_text
from dataagent_core.tools.data.results.stored_result import StoredResult, parse_personal_kinds


def make_cell_mask(kept: StoredResult) -> Callable[[str, Any], Any]:
    """Give what stands in place of a cell, by its column; a cell that may be read is itself."""
    kinds, salt = parse_personal_kinds(kept), kept.result_id

    def mask(column: str, value: Any) -> Any:
        if column in kinds:
            return mask_value(value, kinds[column], salt)
        return _scrubbed(value, salt)

    return mask


def _scrubbed(value: object, salt: str) -> object:
    """Take what is personal out of the texts in a value, however deep, and leave the rest."""
    match value:
        case str():
            return scrub_text(value, salt)
        case dict():
            fields = cast("dict[str, object]", value)
            shown = {name: _scrubbed(part, salt) for name, part in fields.items()}
            return value if shown == value else shown
        case list() | tuple():
            parts = cast("list[object] | tuple[object, ...]", value)
            shown = type(parts)(_scrubbed(part, salt) for part in parts)
            return value if shown == value else shown
        case _:
            return value
