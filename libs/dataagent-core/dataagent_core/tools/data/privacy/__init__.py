"""What a model may not read: personal columns are masked before their text reaches it.

column_patterns.py     a source's own marks, as patterns of `table.column`
personal_kinds.py    columns that look personal, by their name and by their values
sampled_kinds.py   what samples of a source's tables showed, kept as long as its catalogue
value_mask.py      what stands in for a value: equal values look equal, nothing can be read back
cell_masks.py     what a model is shown of any cell of a result
personal_columns.py   which columns of a table, and of a query's result, are personal
touched_columns.py   which of the columns a query touches are personal
failure_text.py  what a model is told when an engine fails
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
