"""What a model may not read: personal columns are masked before their text reaches it.

marks.py     a source's own marks, as patterns of `table.column`
detect.py    columns that look personal, by their name and by their values
sampled.py   what samples of a source's tables showed, kept as long as its catalogue
mask.py      what stands in for a value: equal values look equal, nothing can be read back
cells.py     what a model is shown of any cell of a result
outputs.py   which columns of a table, and of a query's result, are personal
touched.py   which of the columns a query touches are personal
failures.py  what a model is told when an engine fails
"""

from dataagent_core.tools.data.privacy.detect import kind_of_name, kind_of_values
from dataagent_core.tools.data.privacy.mask import masked, scrubbed
from dataagent_core.tools.data.privacy.outputs import personal_columns, personal_outputs

__all__ = [
    "kind_of_name",
    "kind_of_values",
    "masked",
    "personal_columns",
    "personal_outputs",
    "scrubbed",
]
