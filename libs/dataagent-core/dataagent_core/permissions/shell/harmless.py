"""Commands that only look: allowed by default, since the sandbox holds nothing else to see.

A command is harmless only with options that are. Printing the environment, reading devices, and
anything that takes a program as text are left out.
"""

import re
from collections.abc import Callable

from dataagent_core.permissions.shell.line import SimpleCommand
from dataagent_core.permissions.shell.name_list import names
from dataagent_core.permissions.shell.risks import RISKS, risky_places
from dataagent_core.permissions.shell.word import Word

# Whatever stands behind them.
ONLY_LOOK = names(
    "ls cat head tail wc pwd echo printf true false : test [ basename dirname realpath readlink "
    "stat cut tr nl tac rev comm paste fold expand unexpand column seq expr du df uname whoami id "
    "groups nproc which type md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum "
    "od hexdump strings diff cmp grep egrep fgrep sleep cd pushd popd dirs exit return break "
    "continue shift read wait set tee"
)
# Whose words are never files to read.
NAMES_NO_FILES = names(
    "echo printf true false : seq expr exit return break continue shift sleep set"
)
# As long as none of their risky options is there, nor a word that might be one.
WITHOUT_RISKS = names("find sort tree file date rg fd")
VERSIONED = names("python python3 node npm pip pip3 git cargo rustc go uv ruby java")
_ASKS_VERSION = frozenset({(Word("--version"),), (Word("-V"),), (Word("version"),)})

GIT_LOOKS = names(
    "status diff log show rev-parse ls-files ls-tree blame describe shortlog rev-list cat-file "
    "name-rev merge-base grep whatchanged for-each-ref count-objects diff-tree show-ref"
)
_GIT_LISTS = {
    "branch": names("-a -r -v -vv --list --all --remotes --show-current --verbose"),
    "tag": frozenset({"-l", "--list"}),
    "remote": frozenset({"-v", "--verbose"}),
    "stash": frozenset({"list"}),
    "reflog": frozenset({"show"}),
}
_DEVICE = re.compile(
    r"/[./]*(dev\b(?!/null$|/stdin$|/fd/)|proc\b|sys\b)|.*\.\./(.*/)?(dev|proc|sys)(/|$)", re.DOTALL
)
_SED_SCRIPT = re.compile(r"(\d+|\$)?(,(\d+|\$))?[pd]|s/[^/\\\n]*/[^/\\\n]*/[gIip0-9]*")
_AWK_RISK = re.compile(r"system|getline|[|>@]|ENVIRON|printf?\s*\(?.*>")


def is_harmless(command: SimpleCommand) -> bool:
    """Say whether a command only looks."""
    words = command.words
    for word in words[1:]:
        if "/" in word.text and _DEVICE.match(word.text):
            return False
    name = words[0].text
    if name in ONLY_LOOK:
        return name not in {"printf", "set"} or len(words) > 1
    if words[1:] in _ASKS_VERSION:
        return name in VERSIONED
    if name in RISKS and (risky_places(words) or any(w.may_be_option for w in words[1:])):
        return False
    if name in WITHOUT_RISKS:
        return True
    special = _SPECIAL.get(name)
    return special is not None and all(w.known for w in words) and special([*map(_text, words[1:])])


def _text(word: Word) -> str:
    return word.text


def _git(words: list[str]) -> bool:
    while words[:1] == ["--no-pager"] or (words[:1] == ["-C"] and len(words) > 1):
        words = words[1:] if words[0] == "--no-pager" else words[2:]
    if not words:
        return False
    if words[0] in GIT_LOOKS:
        return True
    listing = _GIT_LISTS.get(words[0])
    if listing is None or (words[0] == "stash" and words[1:2] != ["list"]):
        return False
    return all(word in listing for word in words[1:])


def _uniq(words: list[str]) -> bool:
    return sum(not word.startswith("-") for word in words) <= 1


def _sed(words: list[str]) -> bool:
    scripts = [word for word in words if not word.startswith("-")]
    options = {word for word in words if word.startswith("-")}
    return options <= {"-n", "-E", "-r"} and bool(
        scripts and _SED_SCRIPT.fullmatch(scripts[0]) is not None
    )


def _awk(words: list[str]) -> bool:
    while words and re.fullmatch(r"-F.+", words[0]):
        words = words[1:]
    return bool(words) and not words[0].startswith("-") and not _AWK_RISK.search(words[0])


def _jq(words: list[str]) -> bool:
    return not any(re.search(r"env|ENV|input_filename|include|import", word) for word in words)


_SPECIAL: dict[str, Callable[[list[str]], bool]] = {
    "git": _git,
    "uniq": _uniq,
    "sed": _sed,
    "awk": _awk,
    "jq": _jq,
}
