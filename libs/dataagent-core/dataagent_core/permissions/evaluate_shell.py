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
from dataagent_core.permissions.decide_tool import decide_tool, rules_about
from dataagent_core.permissions.layer import Basis, Layer
from dataagent_core.permissions.patterns import normal_path
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
from dataagent_core.permissions.shell.programs.devices import may_be_device
from dataagent_core.permissions.shell.programs.script_places import script_may_run
from dataagent_core.permissions.sources import Decided
from dataagent_core.permissions.verdict import PartVerdict

_NO_FILES = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty"})
_NOT_FILES = ("/dev/", "/proc/", "/sys/")


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
_NOT_PLAIN = "asked: no read-only sandbox stands behind this shell, so only plain lines are not"


def shell_parts(
    text: str, tool: str, cwd: str, rules: RuleSet, layer: Layer = "read_only"
) -> list[PartVerdict]:
    """Judge every part of a command line; there is at least one."""
    line = read_line(text)
    parts = [PartVerdict(text, "ask", f"asked: {doubt}", doubtful=True) for doubt in line.doubts]
    opened = [*_opened(line, cwd, rules, layer)]
    commands = _commands(line, tool, rules, layer, writes=_by_rule(opened))
    by_default = not commands or any(one.basis == "exact" for one in commands)
    if layer == "none" and not line.plain and by_default:
        parts.append(PartVerdict(text, "ask", _NOT_PLAIN))
    parts += [*commands, *opened, *_named(line, cwd, rules)]
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
        parts = judged(_ALONE_BESIDE_RULES if layer == "none" else _BESIDE_RULES)
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
    covering = None if command.doubt else partial(rule_for_command, command, tool)
    basis: Basis | None = None
    if decided.action == "allow" and not command.carrier:
        basis = _BASIS[harmless] if harmless else "rule"
    doubtful = bool(command.doubt) or (decided is ASKS and script_may_run(command.words))
    return PartVerdict(command, *decided, covering, doubtful, basis)


def _opened(line: ShellLine, cwd: str, rules: RuleSet, layer: Layer) -> Iterator[PartVerdict]:
    for use in dict.fromkeys(line.files):
        path = _path(use.path, cwd, moves=line.moves)
        if path not in _NO_FILES:
            yield _judged(use, path, rules, layer)


def _judged(use: FileUse, path: str, rules: RuleSet, layer: Layer) -> PartVerdict:
    tool = "write_file" if use.how == "write" else "read_file"
    decided = decide_tool(tool, path, rules_about(tool, rules), is_path=True)
    coverable = use.how == "write" and UNKNOWN not in path
    if device := path.startswith(_NOT_FILES) or may_be_device(use.path.text):
        coverable = False
        if decided.action == "allow":
            decided = Decided("ask", "asked: a device or the kernel is not a file")
    if layer == "none" and decided.action == "allow" and decided.rule is None:
        decided = Decided("ask", "asked: no read-only sandbox stands behind this shell")
    covering = partial(rule_for_write, path) if coverable else None
    basis: Basis | None = None
    if decided.action == "allow":
        basis = "rule" if use.how == "write" else "looks"
    return PartVerdict(_shown(use.how, path), *decided, covering, device, basis)


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
