"""The decision about a command line: each simple command, each file it opens, each doubt."""

from collections.abc import Iterator
from functools import partial

from dataagent_core.permissions.decide_command import judge_of
from dataagent_core.permissions.decide_tool import decide_tool, rules_about
from dataagent_core.permissions.patterns import normal_path
from dataagent_core.permissions.rule import RuleSet
from dataagent_core.permissions.saving import rule_for_command, rule_for_write
from dataagent_core.permissions.shell import UNKNOWN, FileUse, ShellLine, Word, read_line
from dataagent_core.permissions.shell.harmless import NAMES_NO_FILES
from dataagent_core.permissions.sources import Decided
from dataagent_core.permissions.verdict import PartVerdict

_NO_FILES = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty"})
_NOT_FILES = ("/dev/", "/proc/", "/sys/")


def shell_parts(text: str, tool: str, cwd: str, rules: RuleSet) -> list[PartVerdict]:
    """Judge every part of a command line; there is at least one."""
    line = read_line(text)
    parts = [PartVerdict(text, "ask", f"asked: {doubt}", doubtful=True) for doubt in line.doubts]
    parts += _commands(line, tool, rules)
    parts += _opened(line, cwd, rules)
    parts += _named(line, cwd, rules)
    return parts or [PartVerdict(text, "allow", "default: it runs nothing")]


def _commands(line: ShellLine, tool: str, rules: RuleSet) -> Iterator[PartVerdict]:
    judge = judge_of(tool, rules)
    for command in dict.fromkeys(line.commands):
        decided = judge.decide(command)
        if command.doubt and decided.action != "deny":
            decided = Decided("ask", f"asked: {command.doubt}")
        if not command.carrier or decided.action != "allow":
            covering = None if command.doubt else partial(rule_for_command, command, tool)
            yield PartVerdict(command, *decided, covering, doubtful=bool(command.doubt))


def _opened(line: ShellLine, cwd: str, rules: RuleSet) -> Iterator[PartVerdict]:
    for use in dict.fromkeys(line.files):
        path = _path(use.path, cwd, moves=line.moves)
        if path not in _NO_FILES:
            yield _judged(use, path, rules)


def _judged(use: FileUse, path: str, rules: RuleSet) -> PartVerdict:
    tool = "write_file" if use.how == "write" else "read_file"
    decided = decide_tool(tool, path, rules_about(tool, rules), is_path=True)
    coverable = use.how == "write" and UNKNOWN not in path
    if device := path.startswith(_NOT_FILES):
        coverable = False
        if decided.action == "allow":
            decided = Decided("ask", "asked: a device or the kernel is not a file")
    covering = partial(rule_for_write, path) if coverable else None
    return PartVerdict(_shown(use.how, path), *decided, covering, doubtful=device)


def _named(line: ShellLine, cwd: str, rules: RuleSet) -> Iterator[PartVerdict]:
    """Judge every word as the path it may be: what may not be read may not be named either."""
    about = rules_about("read_file", rules)
    if all(rule.action == "allow" for rule in about.all()):
        return
    words = (
        word
        for command in line.commands
        if command.name not in NAMES_NO_FILES
        for word in command.words[1:]
    )
    for word in dict.fromkeys(words):
        text = word.text.rpartition("=")[2] if word.text.startswith("-") else word.text
        path = _path(Word(text, word.splits), cwd, moves=line.moves)
        decided = decide_tool("read_file", path, about, is_path=True)
        if decided.action != "allow" and not path.startswith("/dev/fd/"):
            yield PartVerdict(_shown("read", path), *decided)


def _path(word: Word, cwd: str, *, moves: bool) -> str:
    if moves and not word.text.startswith("/"):
        return UNKNOWN
    return normal_path(word.text, cwd)


def _shown(how: str, path: str) -> str:
    return f"{how} {path.replace(UNKNOWN, '…')}"
