"""What came back from a query, kept under an id: a Parquet file and what is known of it.

kept.py      the words: `Kept`, `Page`
store.py     the port, and the store in a folder
reading.py   pages and columns of a file
preview.py   what a model is shown
export.py    CSV, Parquet, Excel
"""

from dataagent_core.tools.data.results.kept import Kept, Page
from dataagent_core.tools.data.results.store import FolderResults, Results

__all__ = ["FolderResults", "Kept", "Page", "Results"]
