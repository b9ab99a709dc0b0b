"""Personal columns are masked before their text reaches a model.

personal_kinds.py     columns that look personal; `sampled_kinds.py`: by samples of a source
personal_columns.py   the personal columns of a table and of a result
touched_columns.py    the personal columns a query touches
cell_masks.py         what a model sees of a cell; equal values have equal masks
failure_text.py       what a model sees of an engine's error
"""

from dataagent_core.tools.data.privacy.cell_masks import mask_value, scrub_text
from dataagent_core.tools.data.privacy.personal_columns import (
    find_personal_columns,
    find_personal_outputs,
)
from dataagent_core.tools.data.privacy.personal_kinds import detect_name_kind, detect_values_kind

__all__ = [
    "detect_name_kind",
    "detect_values_kind",
    "find_personal_columns",
    "find_personal_outputs",
    "mask_value",
    "scrub_text",
]
