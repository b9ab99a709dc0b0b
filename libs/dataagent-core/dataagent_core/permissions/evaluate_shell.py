"""The decision about a command line: each simple command, each file it opens, each doubt."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from dataagent_core.permissions.decide_command import (
    ASKS,
    CARRIES,
    HARMLESS,
    CommandJudge,
    judge_of,
)
from dataagent_core.permissions.decide_tool import (
    HOST_FILE_ASKED,
    decide_tool,
    holds_commands_back,
    rules_about,
)
from dataagent_core.permissions.layer import Basis, Layer
from dataagent_core.permissions.patterns import normal_path
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.permissions.rule import RuleSet
from dataagent_core.permissions.saving import rule_for_command, rule_for_write
from dataagent_core.permissions.shell import (
    UNKNOWN,
    FileUse,
    ShellLine,
    SimpleCommand,
    Word,
    read_line,
)
from dataagent_core.permissions.shell.harmless import NAMES_NO_FILES, Ground, ground_of
from dataagent_core.permissions.shell.interpreters import hands_code, reads_code
from dataagent_core.permissions.shell.programs.devices import may_be_device
from dataagent_core.permissions.shell.risks import may_start_another
from dataagent_core.permissions.sources import Decided
from dataagent_core.permissions.verdict import PartVerdict
from dataagent_core.sandbox.workspace_place import Meant

_NO_FILES = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty"})
_NOT_FILES = ("/dev/", "/proc/", "/sys/")
# Empty for each command in the sandbox: a rule may let commands write there.
_TEMPORARY = "/tmp/"  # noqa: S108 - compared with, not opened


class _Defaults(NamedTuple):
    """What is harmless by default, and what becomes of a command that starts another one."""

    allowed: frozenset[Ground]
    carries: Decided


# Before a read-only layer; beside what a rule allows to write; and both where no such layer is.
_READ_ONLY = _Defaults(frozenset({"exact", "shell", "looks"}), CARRIES)
_BESIDE_RULES = _Defaults(frozenset({"exact", "shell"}), CARRIES)
_ALONE = _Defaults(frozenset({"exact"}), ASKS)
_ALONE_BESIDE_RULES = _Defaults(frozenset({"exact"}), CARRIES)
_BASIS: dict[Ground, Basis] = {"exact": "exact", "shell": "exact", "looks": "looks"}
_MIXED = "asked: it looks and acts in one line, and the look might do more"
_NOT_PLAIN = "asked: no read-only sandbox stands behind this shell, so only plain lines are not"


def shell_parts(request: PermissionRequest, text: str, rules: RuleSet) -> list[PartVerdict]:
    """Judge every part of a command line; there is at least one."""
    line, layer = read_line(text), request.layer
    doubts = [*line.doubts]
    if line.started_doubts and holds_commands_back(request.tool, rules):
        doubts += line.started_doubts
    parts = [
        PartVerdict(text, "ask", f"asked: {doubt}", doubtful=True)
        for doubt in dict.fromkeys(doubts)
    ]
    opened = [*_opened(line, request, rules)]
    commands = _commands(line, request.tool, rules, layer, writes=_by_rule(opened))
    by_default = not commands or any(one.basis == "exact" for one in commands)
    if layer == "none" and not line.plain and by_default:
        parts.append(PartVerdict(text, "ask", _NOT_PLAIN))
    parts += [*commands, *opened, *_opened_behind(line, request, rules)]
    parts += _named(line, request, rules)
    return parts or [PartVerdict(text, "allow", "default: it runs nothing", basis="exact")]


def _commands(
    line: ShellLine, tool: str, rules: RuleSet, layer: Layer, *, writes: bool
) -> list[PartVerdict]:
    """Judge the commands; those that only look count for less beside one that may write.

    What only looks is allowed because it runs where nothing can be written. A line with a command
    or a file that a rule allows runs where it can, so the looks in it are asked about, unless a
    rule allows them too.
    """
    commands: list[tuple[SimpleCommand, Ground | None]] = [
        (command, _ground(command)) for command in dict.fromkeys(line.commands)
    ]
    judge = judge_of(tool, rules)

    def judged(defaults: _Defaults) -> list[PartVerdict]:
        return [_judge(judge, tool, command, ground, defaults) for command, ground in commands]

    parts = judged(_ALONE if layer == "none" else _READ_ONLY)
    if writes or (rules and _by_rule(parts)):
        beside = judged(_ALONE_BESIDE_RULES if layer == "none" else _BESIDE_RULES)
        parts = [
            after._replace(reason=_MIXED)
            if before.action == "allow" and after.action == "ask"
            else after
            for before, after in zip(parts, beside, strict=True)
        ]
    return [
        part
        for part, (command, _) in zip(parts, commands, strict=True)
        if not command.carrier or part.action != "allow"
    ]


def _by_rule(parts: list[PartVerdict]) -> bool:
    return any(part.basis == "rule" for part in parts)


def _ground(command: SimpleCommand) -> Ground | None:
    return None if command.carrier or command.doubt else ground_of(command)


def _judge(
    judge: CommandJudge,
    tool: str,
    command: SimpleCommand,
    ground: Ground | None,
    defaults: _Defaults,
) -> PartVerdict:
    harmless = ground if ground in defaults.allowed else None
    default = ASKS if harmless is None else HARMLESS[harmless]
    if command.carrier:
        default = defaults.carries
    decided = judge.decide(command, default)
    if command.doubt and decided.action != "deny":
        decided = Decided("ask", f"asked: {command.doubt}")
    # What a program reads is in no rule, so that none can cover the next call.
    unseen = command.doubt or reads_code(command.words)
    covering = None if unseen else partial(rule_for_command, command, tool)
    basis: Basis | None = None
    if decided.action == "allow" and not command.carrier:
        basis = _BASIS[harmless] if harmless else "rule"
    doubtful = bool(command.doubt) or (decided is ASKS and may_start_another(command.words))
    return PartVerdict(
        command,
        *decided,
        covering,
        doubtful,
        basis,
        hands_code=decided is ASKS and hands_code(command.words),
    )


def _opened(line: ShellLine, request: PermissionRequest, rules: RuleSet) -> Iterator[PartVerdict]:
    for use in dict.fromkeys(line.files):
        meant = _meant(use.path, request, moves=line.moves)
        if not (_is_the_systems(meant, request) and meant.path in _NO_FILES):
            yield _judged(use, meant, request, rules)


def _opened_behind(
    line: ShellLine, request: PermissionRequest, rules: RuleSet
) -> Iterator[PartVerdict]:
    """Judge the files that are opened behind a runner: only rules that forbid it or ask count."""
    for use in dict.fromkeys(line.started_files):
        part = _judged(use, _meant(use.path, request, moves=line.moves), request, rules)
        if part.action != "allow" and part.rule is not None:
            yield part


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
    named_so = _is_the_systems(meant, request) and path.startswith(_NOT_FILES)
    if device := named_so or may_be_device(use.path.text):
        coverable = False
        if decided.action == "allow":
            decided = Decided("ask", "asked: a device or the kernel is not a file")
    if request.layer == "none" and decided.action == "allow" and decided.rule is None:
        decided = Decided("ask", "asked: no read-only sandbox stands behind this shell")
    doubtful = device or decided.reason.startswith(HOST_FILE_ASKED)
    covering = partial(rule_for_write, path) if coverable else None
    basis: Basis | None = None
    if decided.action == "allow":
        basis = "rule" if use.how == "write" else "looks"
    return PartVerdict(_shown(use.how, path), *decided, covering, doubtful, basis)


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
