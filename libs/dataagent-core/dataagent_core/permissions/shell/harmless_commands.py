"""Which commands are harmless without a question, and why.

    exact   on the exact list (`programs/exact_list.py`): harmless wherever it runs
    shell   prints, or changes only the shell that reads the line: its directory, its control flow
    looks   only looks, as far as its words tell: meant to run where nothing can be written

A command only looks with options that do. Printing the environment, reading devices, and anything
that takes a program as text are left out.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Literal

from dataagent_core.config.limits import SHELL_COMMANDS_CACHED_MAX
from dataagent_core.permissions.shell.line import SimpleCommand, Word, names
from dataagent_core.permissions.shell.programs import git, inspection_tools, jq, viewers
from dataagent_core.permissions.shell.programs.devices import (
    KERNEL_FOLDERS,
    is_everything,
    may_be_device,
)
from dataagent_core.permissions.shell.programs.exact_list import EXACT, is_exact
from dataagent_core.permissions.shell.risks import find_risky_words
from dataagent_core.permissions.shell.wrappers import only_checks

HarmlessKind = Literal["exact", "shell", "looks"]

# Builtins that print, or change the shell itself, and nothing else; their words are checked in
# `opener.py`. What `tee` writes is judged there as a file, so it does nothing by itself either.
_SHELL_ONLY = names(
    "cd pushd popd dirs exit return break continue shift read wait set test [ true false : tee "
    "echo printf"
)
# They only look, whatever their options.
_ONLY_LOOK = names(
    "ls cat head tail wc pwd basename dirname realpath readlink stat cut tr nl tac rev "
    "comm paste fold expand unexpand column seq expr du df uname whoami id groups nproc arch which "
    "type md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum od hexdump "
    "strings diff cmp grep egrep fgrep sleep getconf locale tsort numfmt factor base32 base64 "
    "join free uptime lscpu cal bc fmt pr whereis zcat xzcat bzcat zgrep zegrep zfgrep readelf who "
    "w tty users lsb_release"
)
# As long as no word of theirs is risky (`risks.py`), nor may turn out to be.
_WITHOUT_RISKS = names(
    "find sort tree file date rg fd fdfind ag uniq sed awk gawk mawk shuf iconv nm objdump size "
    "getent"
)
_SEARCH = names("grep egrep fgrep rg ag")
# Whose words are never files to read.
NAMES_NO_FILES = names(
    "echo printf true false : seq expr exit return break continue shift sleep set"
)
# How each is asked for its version; with another program the same word may run a file or a task.
_TOOLS = names(
    "python python2 python3 node npm npx pnpm yarn bun deno pip pip3 cargo rustc rustup go uv "
    "ruby gem java javac gcc g++ clang cc make cmake docker kubectl helm terraform php perl tsc "
    "eslint prettier ruff black mypy pyright pytest poetry dotnet mvn gradle jq rg sqlite3 psql "
    "mysql redis-cli curl wget tar zip unzip vim nvim tmux aws gcloud az gh awk sed grep bash"
)
_ASKS_VERSION = {
    "--version": _TOOLS | names("git"),
    # Not of git, which would start a pager.
    "--help": _TOOLS - names("bash")
    | names("ls cat head tail sort uniq cut tr split find xargs wc du df diff"),
    "-V": names(
        "python python2 python3 pip pip3 rustc cargo deno uv poetry curl wget ssh tmux rg mypy "
        "psql mysql ruff jq"
    ),
    "-v": names("node npm npx pnpm yarn bun ruby perl php tsc eslint prettier docker redis-cli"),
    "version": names("go git cargo uv helm terraform openssl"),
    "-version": names("java javac ffmpeg"),
}


_MAY_BE_HARMLESS = (
    _SHELL_ONLY
    | _ONLY_LOOK
    | _WITHOUT_RISKS
    | inspection_tools.INSPECTING
    | viewers.VIEWERS
    | names("git jq bash sh dash")
    | frozenset(EXACT)
    | frozenset[str]().union(*_ASKS_VERSION.values())
)


# A line is judged several times: for its mode, by rules, and for what "always" saves.
@lru_cache(maxsize=SHELL_COMMANDS_CACHED_MAX)
def classify_harmless(command: SimpleCommand) -> HarmlessKind | None:
    """Say why a command is harmless; None for one that is not known to be."""
    words = command.words
    name = words[0].text
    if name not in _MAY_BE_HARMLESS:
        return None
    for text, _, _ in words[1:]:
        # Most words hold no slash; a call for each would cost more than the rest.
        if ("/" in text or text in KERNEL_FOLDERS) and may_be_device(text):
            return None
    if is_exact(words):
        return "exact"
    if name in _SHELL_ONLY:
        return None if name in {"set", "printf"} and len(words) == 1 else "shell"
    return "looks" if _only_looks(name, words) else None


def _only_looks(name: str, words: tuple[Word, ...]) -> bool:
    if name in _ONLY_LOOK:
        return not _goes_everywhere(words)
    if len(words) == 2 and name in _ASKS_VERSION.get(words[1].text, ()):  # noqa: PLR2004 (a program and its option)
        return True
    if viewers.shows(name, [*words[1:]]):
        return True
    if name not in _WITHOUT_RISKS and name not in _SPECIAL:
        return False
    if find_risky_words(words) or any(word.may_be_option for word in words[1:]):
        return False
    special = _SPECIAL.get(name)
    return not _goes_everywhere(words) and (special is None or special([*words[1:]]))


def _goes_everywhere(words: tuple[Word, ...]) -> bool:
    """Say whether a search would read everything there is, the kernel's files too."""
    searches = words[0].text in _SEARCH or (words[0].text == "git" and Word("grep") in words)
    return searches and any(is_everything(word) for word in words[1:])


def _git_only_looks(words: list[Word]) -> bool:
    readable = all(word.known or word.pattern for word in words)
    return readable and git.only_looks([word.text for word in words])


def _script_is_known(words: list[Word]) -> bool:
    """Say whether sed or awk was given a script at all; what it does was looked into."""
    return bool(words) and all(not word.splits or word.pattern for word in words)


_SPECIAL: dict[str, Callable[[list[Word]], bool]] = {
    "git": _git_only_looks,
    "jq": jq.only_filters,
    # Otherwise the script of the shell is judged (`opener.py`).
    **dict.fromkeys(("bash", "sh", "dash"), only_checks),
    **dict.fromkeys(("sed", "awk", "gawk", "mawk"), _script_is_known),
    **{name: partial(inspection_tools.only_looks, name) for name in inspection_tools.INSPECTING},
}
