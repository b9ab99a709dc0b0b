"""Which git commands only look. Options that run or write something are in `risk_table.py`."""

import re

from dataagent_core.permissions.shell.line import names

_LOOKS = names(
    "status diff log show rev-parse ls-files ls-tree blame annotate describe shortlog rev-list "
    "cat-file name-rev merge-base grep whatchanged for-each-ref count-objects diff-tree diff-index "
    "diff-files show-ref show-branch check-ignore check-attr cherry range-diff version"
)
# Before the command: they change where git looks and how it prints, no more.
_GLOBAL = names("--no-pager -P --no-optional-locks --literal-pathspecs --icase-pathspecs")
# Any of these makes `git branch` and `git tag` list, whatever else is there.
_LISTS = {
    "branch": names(
        "-a --all -r --remotes --list --contains --no-contains --merged --no-merged --points-at"
    ),
    "tag": names("-l --list -n --contains --no-contains --merged --no-merged --points-at"),
}
# May stand beside those, or alone.
_BESIDE = {
    "branch": names(
        "-v -vv --verbose --show-current --sort --format --column --no-column --color --no-color "
        "--ignore-case -i --abbrev --no-abbrev -q"
    ),
    "tag": names("--sort --format --column --no-column --color --ignore-case -i"),
}
# Commands of a command: what stands behind them looks.
_SUB_LOOKS = {
    "remote": names("get-url"),
    "submodule": names("status"),
    "stash": names("list show"),
    "reflog": names("show list"),
    "worktree": names("list"),
    "notes": names("list show"),
    "bisect": names("log"),
    "config": names("--get --get-all --get-regexp --list -l list get"),
}
_CONFIG_NAME = re.compile(r"[A-Za-z]\w*(\.[\w-]+)+")
_VERBOSE = names("-v --verbose")
_CONFIG_PLACES = names("--global --local --system --worktree --show-origin --show-scope --null -z")


def only_looks(words: list[str]) -> bool:
    """Say whether git, with the words behind its name, only looks."""
    while words and (words[0] in _GLOBAL or (words[0] == "-C" and len(words) > 1)):
        words = words[1:] if words[0] in _GLOBAL else words[2:]
    if not words:
        return False
    command, rest = words[0], words[1:]
    if command in _LOOKS:
        return True
    if command in _LISTS:
        return _only_lists(command, rest)
    return _sub_command_looks(command, rest)


def _sub_command_looks(command: str, rest: list[str]) -> bool:
    if command == "remote" and (set(rest) <= _VERBOSE or rest == ["show"]):
        return True
    if command == "reflog" and all(word.startswith("-") for word in rest):
        # Without a command of its own it shows.
        return not any(word.startswith("--exp") for word in rest)
    if command == "config":
        while rest and rest[0] in _CONFIG_PLACES:
            rest = rest[1:]
        # With a name alone it reads.
        if len(rest) == 1 and _CONFIG_NAME.fullmatch(rest[0]):
            return True
    return bool(rest) and rest[0] in _SUB_LOOKS.get(command, ())


def _only_lists(command: str, rest: list[str]) -> bool:
    lists = False
    operands = False
    for word in rest:
        option = word.partition("=")[0]
        if command == "tag" and option[:2] == "-n" and option[2:].isdecimal():
            option = "-n"
        if not word.startswith("-"):
            operands = True
        elif option in _LISTS[command]:
            lists = True
        elif option not in _BESIDE[command]:
            return False
    return lists or not operands
