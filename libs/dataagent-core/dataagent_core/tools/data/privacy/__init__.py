"""Personal columns are masked before their text reaches a model.

column_patterns.py    the marks of a source, as patterns of `table.column`
personal_kinds.py     columns that look personal; `sampled_kinds.py`: by samples of a source
personal_columns.py   those of a table and of a result; `touched_columns.py`: of a query
value_mask.py         the mask of a value: equal values look equal, nothing can be read back
cell_masks.py         what a model sees of any cell
failure_text.py       what a model sees of an engine's error
"""

from dataagent_core.tools.data.privacy.personal_columns import (
    find_personal_columns,
    find_personal_outputs,
)
from dataagent_core.tools.data.privacy.personal_kinds import detect_name_kind, detect_values_kind
from dataagent_core.tools.data.privacy.value_mask import mask_value, scrub_text

__all__ = [
    "detect_name_kind",
    "detect_values_kind",
    "find_personal_columns",
    "find_personal_outputs",
    "mask_value",
    "scrub_text",
]
