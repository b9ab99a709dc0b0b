"""The decision about a command line: each simple command, each file it opens, each doubt."""

from collections.abc import Iterator
from functools import partial

from dataagent_core.permissions.decide_command import judge_of
from dataagent_core.permissions.decide_tool import HOST_FILE_ASKED, decide_tool, rules_about
from dataagent_core.permissions.patterns import normal_path
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.permissions.rule import RuleSet
from dataagent_core.permissions.saving import rule_for_command, rule_for_write
from dataagent_core.permissions.shell import UNKNOWN, FileUse, ShellLine, Word, read_line
from dataagent_core.permissions.shell.harmless import NAMES_NO_FILES
from dataagent_core.permissions.sources import Decided
from dataagent_core.permissions.verdict import PartVerdict
from dataagent_core.sandbox.workspace_place import Meant

_NO_FILES = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty"})
_NOT_FILES = ("/dev/", "/proc/", "/sys/")
# Empty for each command in the sandbox: a rule may let commands write there.
_TEMPORARY = "/tmp/"  # noqa: S108 - compared with, not opened


def shell_parts(request: PermissionRequest, text: str, rules: RuleSet) -> list[PartVerdict]:
    """Judge every part of a command line; there is at least one."""
    line = read_line(text)
    parts = [PartVerdict(text, "ask", f"asked: {doubt}", doubtful=True) for doubt in line.doubts]
    parts += _commands(line, request.tool, rules)
    parts += _opened(line, request, rules)
    parts += _named(line, request, rules)
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


def _opened(line: ShellLine, request: PermissionRequest, rules: RuleSet) -> Iterator[PartVerdict]:
    for use in dict.fromkeys(line.files):
        meant = _meant(use.path, request, moves=line.moves)
        if not (_is_the_systems(meant, request) and meant.path in _NO_FILES):
            yield _judged(use, meant, request, rules)


def _judged(use: FileUse, meant: Meant, request: PermissionRequest, rules: RuleSet) -> PartVerdict:
    path = meant.path
    tool = "write_file" if use.how == "write" else "read_file"
    decided = decide_tool(tool, path, rules_about(tool, rules), is_path=True)
    coverable = use.how == "write" and UNKNOWN not in path
    if meant.outside and not path.startswith(_TEMPORARY):
        coverable = False
        if use.how == "write" and decided.action == "allow":
            # A rule names files of the workspace, never the system's of the same name.
            decided = Decided("ask", "asked: it is outside the workspace")
    if device := _is_the_systems(meant, request) and path.startswith(_NOT_FILES):
        coverable = False
        if decided.action == "allow":
            decided = Decided("ask", "asked: a device or the kernel is not a file")
    on_host = decided.reason.startswith(HOST_FILE_ASKED)
    covering = partial(rule_for_write, path) if coverable else None
    return PartVerdict(_shown(use.how, path), *decided, covering, doubtful=device or on_host)


def _named(line: ShellLine, request: PermissionRequest, rules: RuleSet) -> Iterator[PartVerdict]:
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
        path = _meant(Word(text, word.splits), request, moves=line.moves).path
        decided = decide_tool("read_file", path, about, is_path=True)
        if decided.action != "allow" and not path.startswith("/dev/fd/"):
            yield PartVerdict(_shown("read", path), *decided)


def _meant(word: Word, request: PermissionRequest, *, moves: bool) -> Meant:
    if moves and not word.text.startswith("/"):
        return Meant(UNKNOWN)
    if UNKNOWN in word.text:
        return Meant(normal_path(word.text, request.cwd))
    return request.place.of_program(word.text, request.cwd)


def _is_the_systems(meant: Meant, request: PermissionRequest) -> bool:
    """Say whether a path may be a device: not where the workspace has a folder `dev` of its own."""
    return meant.outside or request.place.path == "/"


def _shown(how: str, path: str) -> str:
    return f"{how} {path.replace(UNKNOWN, '…')}"
