"""Results of queries, stored under an id: a Parquet file and its metadata.

stored_result.py    `StoredResult` and `ResultPage`
result_store.py     the port, and the store in a folder
result_reader.py    pages and columns of a file
result_preview.py   what a model sees
result_export.py    CSV, Parquet, Excel
"""

from dataagent_core.tools.data.results.result_store import FolderResultStore, ResultStore
from dataagent_core.tools.data.results.stored_result import ResultPage, StoredResult

__all__ = ["FolderResultStore", "ResultPage", "ResultStore", "StoredResult"]
