"""Programs that show one kind of thing: a JSON or YAML file, a database, a manual, open sockets.

Each passes with the words listed here and no others. All of them run read-only, which holds what
the words do not tell: `python3 -m json.tool` finds a module `json` of the project first.

`sqlite3` passes with one `select` that calls only listed functions: its shell program has functions
and tables that read and write files (`readfile`, `fsdir`), and a later version may have more.
"""

import re
from collections.abc import Callable
from typing import Final

from dataagent_core.permissions.shell.line import Word, names
from dataagent_core.permissions.shell.options import (
    OptionSyntax,
    UnknownOptionError,
    split_options,
)
from dataagent_core.permissions.shell.programs import inspection_tools

_SQL_QUOTED: Final = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]""")
_SQL_PLACEHOLDER: Final = "''"
_SQL_SELECT: Final = re.compile(r"\s*select\b[^;]*;?\s*", re.IGNORECASE)
_SQL_COMMENT: Final = re.compile(r"--|/\*")
# Tables that are files; they may be named without brackets, and in quotes.
_SQL_FILE_TABLES: Final = re.compile(r"fsdir|zipfile|sqlite_db(?:data|ptr|page)", re.IGNORECASE)
_SQL_CALLED: Final = re.compile(r"([\w$]+|'')\s*\(")
_SQL_PRAGMA: Final = re.compile(r"pragma_\w*", re.IGNORECASE)
_SQL_BEFORE_BRACKETS: Final = names(
    "select distinct all from where and or not in exists as on using by when then else case having "
    "union except intersect values over filter join between like glob is limit offset cast"
)
_SQL_PRAGMAS: Final = frozenset(
    f"pragma_{name}"
    for name in names(
        "table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list "
        "database_list collation_list function_list compile_options page_count page_size"
    )
)
_SQL_FUNCTIONS: Final = names(
    "abs avg ceil ceiling char coalesce concat concat_ws count cume_dist date datetime decimal "
    "dense_rank exp first_value floor format generate_series group_concat hex ifnull iif instr "
    "json json_array json_array_length json_each json_extract json_group_array json_group_object "
    "json_object json_quote json_tree json_type json_valid julianday lag last_value lead length "
    "likelihood likely ln log log10 log2 lower ltrim max min mod nth_value ntile nullif "
    "octet_length percent_rank pow power printf quote random rank replace round row_number rtrim "
    "sign soundex sqlite_version sqrt strftime string_agg substr substring sum time timediff total "
    "trim trunc typeof unhex unicode unixepoch upper"
)
_SQL_KNOWN: Final = _SQL_BEFORE_BRACKETS | _SQL_PRAGMAS | _SQL_FUNCTIONS
_JSON_TOOL = OptionSyntax(
    "h",
    "",
    ("sort-keys", "no-ensure-ascii", "json-lines", "tab", "no-indent", "compact"),
    ("indent",),
)
_SOCKETS = OptionSyntax("talnpuxerioms46", "", ("tcp", "udp", "listening", "numeric", "all"))
_LSOF = OptionSyntax("nPtl", "ipu")
_COUNTS = OptionSyntax(
    "",
    "te",
    ("quiet", "by-file", "files", "json", "hidden", "no-cocomo"),
    ("exclude-dir", "include-lang", "exclude-lang", "type", "exclude", "sort", "by", "format"),
)
_SHELLCHECK = OptionSyntax("ax", "sSfeoW", ("check-sourced",), ("shell", "severity", "format"))
_BAT = OptionSyntax(
    "pnA",
    "lr",
    ("plain", "number", "show-all", "no-pager"),
    ("language", "line-range", "style", "paging", "color", "theme", "wrap"),
)
_ZIPINFO = OptionSyntax("12smlvhMtTzZ")
_YQ = OptionSyntax(
    "rCMnPeN", "op", ("colors", "no-colors", "raw-output", "prettyPrint"), ("indent",)
)
# Of yq, which is two programs, one of them jq: files, the environment, and code from elsewhere.
_YQ_REACHES_OUT = re.compile(
    r"\b(?:env\w*|strenv|load\w*|input_filename|eval|system)\b"
    r"|(?<![.\w$])(?:include|import|modulemeta|get_search_list)\b|\$\s*(?:ENV|__prog_args)"
)
_YQ_FILE = re.compile(r"[\w./-]+\.(?:ya?ml|json|toml|xml|csv)", re.ASCII)
_DOT_COMMAND = re.compile(r"\.(?:tables|schema|indexes|indices|databases|fullschema)(?: [\w%.]+)?")
_SQLITE_FLAGS: Final = frozenset(
    {"-readonly", "-header", "-noheader", "-csv", "-json", "-column", "-line", "-list", "-box"}
)
_PAGE_NAME = re.compile(r"[A-Za-z0-9][\w.+:-]*")


def shows(name: str, words: list[Word]) -> bool:
    """Say whether a program of these, with the words behind its name, only shows something."""
    viewer = _VIEWERS.get(name)
    return viewer is not None and all(word.known for word in words) and viewer(words)


def _make_check(
    syntax: OptionSyntax, operands_max: int | None = None
) -> Callable[[list[Word]], bool]:
    def fits(words: list[Word]) -> bool:
        try:
            _, operands = split_options(words, syntax)
        except UnknownOptionError:
            return False
        return operands_max is None or len(operands) <= operands_max

    return fits


def _python_shows(words: list[Word]) -> bool:
    if len(words) < 2 or words[0].text != "-m":  # noqa: PLR2004 (the option and the module)
        return False
    if words[1].text == "pip":
        return inspection_tools.only_looks("pip", words[2:])
    # A second file is written.
    return words[1].text == "json.tool" and _make_check(_JSON_TOOL, operands_max=1)(words[2:])


def _sqlite_shows(words: list[Word]) -> bool:
    rest = [word.text for word in words]
    while rest and rest[0] in _SQLITE_FLAGS:
        rest = rest[1:]
    if len(rest) != 2 or rest[0][:1] in {"-", "."}:  # noqa: PLR2004 (the database and a statement)
        return False
    return bool(_DOT_COMMAND.fullmatch(rest[1]) or only_selects(rest[1]))


def only_selects(statement: str) -> bool:
    """Say whether a text is one such statement."""
    text = _SQL_QUOTED.sub(_SQL_PLACEHOLDER, statement)
    if (
        not _SQL_SELECT.fullmatch(text)
        or _SQL_COMMENT.search(text)
        or _SQL_FILE_TABLES.search(statement)
    ):
        return False
    if set("\"'`[") & set(text.replace(_SQL_PLACEHOLDER, "")):
        return False
    called = (found[1].lower() for found in _SQL_CALLED.finditer(text))
    pragmas = (found[0].lower() for found in _SQL_PRAGMA.finditer(statement))
    return all(name in _SQL_KNOWN for name in called) and all(
        name in _SQL_PRAGMAS for name in pragmas
    )


def _yq_shows(words: list[Word]) -> bool:
    if words and words[0].text in {"e", "eval", "r", "read"}:
        words = words[1:]
    try:
        options, operands = split_options(words, _YQ)
    except UnknownOptionError:
        return False
    # The first operand is the expression; a single one may be the file instead.
    expressions = [word.text for word in operands[:1]]
    if len(operands) == 1 and _YQ_FILE.fullmatch(expressions[0]):
        expressions = []
    return not any(_YQ_REACHES_OUT.search(text) for text in (*options, *expressions))


def _lsof_shows(words: list[Word]) -> bool:
    # A word with a plus is an option too, and `+m` writes a file.
    return _make_check(_LSOF)(words) and not any(word.text.startswith("+") for word in words)


def _man_shows(words: list[Word]) -> bool:
    if words and words[0].text in {"-k", "-f", "-w"}:
        words = words[1:]
    return bool(words) and all(_PAGE_NAME.fullmatch(word.text) for word in words)


def _npm_lists_scripts(words: list[Word]) -> bool:
    """Say whether npm lists its scripts: `npm run` without a name."""
    return [word.text for word in words] in (["run"], ["run-script"])


_VIEWERS: dict[str, Callable[[list[Word]], bool]] = {
    **dict.fromkeys(("python", "python3"), _python_shows),
    **dict.fromkeys(("ss", "netstat"), _make_check(_SOCKETS, operands_max=0)),
    **dict.fromkeys(("cloc", "tokei", "scc"), _make_check(_COUNTS)),
    **dict.fromkeys(("bat", "batcat"), _make_check(_BAT)),
    **dict.fromkeys(("npm", "pnpm"), _npm_lists_scripts),
    "lsof": _lsof_shows,
    "man": _man_shows,
    "shellcheck": _make_check(_SHELLCHECK),
    "sqlite3": _sqlite_shows,
    "yq": _yq_shows,
    "zipinfo": _make_check(_ZIPINFO),
}


VIEWERS: Final = frozenset(_VIEWERS)
