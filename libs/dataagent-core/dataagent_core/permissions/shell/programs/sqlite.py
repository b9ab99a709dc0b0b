"""Whether a statement for `sqlite3` is one `select` that reads nothing but the database.

The shell program has functions and tables that read and write files (`readfile`, `fsdir`), and a
later version may have more: only functions listed here may be called.
"""

import re
from typing import Final

from dataagent_core.permissions.shell.names import names

_QUOTED: Final = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]""")
_PLACEHOLDER: Final = "''"
_SELECT: Final = re.compile(r"\s*select\b[^;]*;?\s*", re.IGNORECASE)
_COMMENT: Final = re.compile(r"--|/\*")
# Tables that are files; they may be named without brackets, and in quotes.
_FILE_TABLES: Final = re.compile(r"fsdir|zipfile|sqlite_db(?:data|ptr|page)", re.IGNORECASE)
_CALLED: Final = re.compile(r"([\w$]+|'')\s*\(")
_PRAGMA: Final = re.compile(r"pragma_\w*", re.IGNORECASE)
_BEFORE_BRACKETS: Final = names(
    "select distinct all from where and or not in exists as on using by when then else case having "
    "union except intersect values over filter join between like glob is limit offset cast"
)
_PRAGMAS: Final = frozenset(
    f"pragma_{name}"
    for name in names(
        "table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list "
        "database_list collation_list function_list compile_options page_count page_size"
    )
)
_FUNCTIONS: Final = names(
    "abs avg ceil ceiling char coalesce concat concat_ws count cume_dist date datetime decimal "
    "dense_rank exp first_value floor format generate_series group_concat hex ifnull iif instr "
    "json json_array json_array_length json_each json_extract json_group_array json_group_object "
    "json_object json_quote json_tree json_type json_valid julianday lag last_value lead length "
    "likelihood likely ln log log10 log2 lower ltrim max min mod nth_value ntile nullif "
    "octet_length percent_rank pow power printf quote random rank replace round row_number rtrim "
    "sign soundex sqlite_version sqrt strftime string_agg substr substring sum time timediff total "
    "trim trunc typeof unhex unicode unixepoch upper"
)
_KNOWN: Final = _BEFORE_BRACKETS | _PRAGMAS | _FUNCTIONS


def only_selects(statement: str) -> bool:
    """Say whether a text is one such statement."""
    text = _QUOTED.sub(_PLACEHOLDER, statement)
    if not _SELECT.fullmatch(text) or _COMMENT.search(text) or _FILE_TABLES.search(statement):
        return False
    if set("\"'`[") & set(text.replace(_PLACEHOLDER, "")):
        return False
    called = (found[1].lower() for found in _CALLED.finditer(text))
    pragmas = (found[0].lower() for found in _PRAGMA.finditer(statement))
    return all(name in _KNOWN for name in called) and all(name in _PRAGMAS for name in pragmas)
