"""The decision about a call: `evaluate(request, rules)` returns allow, ask or deny, and why. Pure.

A shell call has many parts: each simple command, each file it opens, each doubt about the line. Any
other call has one part: the tool with its path, host or name. The strictest part decides. What
rules say about one part is in `rules.py`, how a line is parsed in `shell/`, and what mode, taint
and the owner of the run change in `policy.py`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

from dataagent_core.permissions.always_rules import (
    make_call_rule,
    make_command_rule,
    make_write_rule,
)
from dataagent_core.permissions.patterns import EVERYTHING, normalize_path
from dataagent_core.permissions.request import Layer, PermissionRequest
from dataagent_core.permissions.rules import (
    HOST_FILE_ASKED,
    STRICTNESS,
    Action,
    CommandRules,
    Rule,
    RuleDecision,
    RuleSet,
    decide_resource,
    holds_commands_back,
    make_command_rules,
    select_rules,
)
from dataagent_core.permissions.shell import (
    UNKNOWN,
    FileUse,
    ShellLine,
    SimpleCommand,
    Word,
    read_line,
)
from dataagent_core.permissions.shell.harmless_commands import (
    NAMES_NO_FILES,
    HarmlessKind,
    classify_harmless,
)
from dataagent_core.permissions.shell.interpreters import hands_code, reads_code
from dataagent_core.permissions.shell.programs.devices import may_be_device
from dataagent_core.permissions.shell.risks import may_start_another
from dataagent_core.sandbox.paths.workspace_location import ProgramPath

# Why a part of a command line is allowed; the engine chooses by it where the line runs.
# exact: harmless wherever it runs; looks: run it read-only; rule: it runs where it may write.
Basis = Literal["exact", "looks", "rule"]

_NO_FILES = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty"})
_NOT_FILES = ("/dev/", "/proc/", "/sys/")
# Empty for each command in the sandbox: a rule may let commands write there.
_TEMPORARY = "/tmp/"  # noqa: S108 - compared with, not opened

_CARRIES = RuleDecision("allow", "default: it only starts another command")
_ASKS = RuleDecision("ask", "default: commands ask")
_HARMLESS: dict[HarmlessKind, RuleDecision] = {
    "exact": RuleDecision("allow", "default: it is on the exact list"),
    "shell": RuleDecision("allow", "default: it changes nothing but the shell itself"),
    "looks": RuleDecision("allow", "default: it only looks"),
}


class _Defaults(NamedTuple):
    """What is harmless by default, and the decision about a command that starts another one."""

    allowed: frozenset[HarmlessKind]
    carries: RuleDecision


# Before a read-only layer; beside what a rule allows to write; and both where no such layer is.
_READ_ONLY = _Defaults(frozenset({"exact", "shell", "looks"}), _CARRIES)
_BESIDE_RULES = _Defaults(frozenset({"exact", "shell"}), _CARRIES)
_ALONE = _Defaults(frozenset({"exact"}), _ASKS)
_ALONE_BESIDE_RULES = _Defaults(frozenset({"exact"}), _CARRIES)
_BASIS: dict[HarmlessKind, Basis] = {"exact": "exact", "shell": "exact", "looks": "looks"}
_MIXED = "asked: it looks and acts in one line, and the look might do more"
_NOT_PLAIN = "asked: no read-only sandbox stands behind this shell, so only plain lines are not"


class PartDecision(NamedTuple):
    """The decision about one part of a call: a simple command, a file it opens, a doubt.

    `subject` is that part, formatted only when it is read. `covering` makes the rule that
    "always" would add for it, also only then. `doubtful`: it is asked about because its effect is
    unknown, not because that is the default. `basis`: why a part of a command line is allowed
    (`Basis`); None where that makes no difference.
    `hands_code`: it gives code to an interpreter, and no rule can see what that does.
    """

    subject: object
    action: Action
    reason: str
    rule: Rule | None = None
    covering: Callable[[], Rule | None] | None = None
    doubtful: bool = False
    basis: Basis | None = None
    hands_code: bool = False

    @property
    def part(self) -> str:
        """The part in words."""
        return str(self.subject)

    @property
    def saves(self) -> Rule | None:
        """The rule that "always" would add, if one can cover this part."""
        return None if self.covering is None else self.covering()


@dataclass(frozen=True, slots=True)
class PermissionDecision:
    """The decision about a call: that of its strictest part."""

    action: Action
    reason: str
    rule: Rule | None
    commands: tuple[PartDecision, ...]

    @property
    def is_by_rules(self) -> bool:
        """Say whether a rule decided every part, so that no default was used."""
        return bool(self.commands) and all(part.rule is not None for part in self.commands)

    @property
    def basis(self) -> Basis:
        """Why a command line is allowed, and so where it may run."""
        found = {part.basis for part in self.commands}
        if "rule" in found:
            return "rule"
        return "looks" if "looks" in found else "exact"


def evaluate(request: PermissionRequest, rules: RuleSet) -> PermissionDecision:
    """Decide whether a call may run, must be asked about, or is forbidden."""
    line = request.command
    parts = _judge_tool(request, rules) if line is None else _judge_line(request, line, rules)
    if request.declared:
        parts = [_ask_as_declared(part, request) for part in parts]
    # The first of the strictest gives the reason.
    worst = max(parts, key=lambda part: STRICTNESS[part.action])
    return PermissionDecision(worst.action, worst.reason, worst.rule, tuple(parts))


def _ask_as_declared(part: PartDecision, request: PermissionRequest) -> PartDecision:
    """Ask where only a default decides: what a tool declares is stronger than its name."""
    if part.rule is not None or part.action == "deny":
        return part
    covering = None if request.once_only else part.covering
    return part._replace(action="ask", reason=f"asked: {request.declared}", covering=covering)


def _judge_tool(request: PermissionRequest, rules: RuleSet) -> list[PartDecision]:
    about = select_rules(request.tool, rules)
    return [_judge_resource(request, resource, about) for resource in request.resources]


def _judge_resource(request: PermissionRequest, resource: str, about: RuleSet) -> PartDecision:
    decided = decide_resource(request.tool, resource, about)
    changed = _change_since_allowed(request, about) if decided.action == "ask" else None
    return PartDecision(
        f"{request.tool} {resource}".strip().replace(UNKNOWN, "…"),
        decided.action,
        changed or decided.reason,
        decided.rule,
        None if request.once_only else partial(make_call_rule, request, resource),
        doubtful=changed is not None or decided.reason.startswith(HOST_FILE_ASKED),
    )


def _change_since_allowed(request: PermissionRequest, about: RuleSet) -> str | None:
    """Say that a tool has changed since it was allowed, if it has."""
    if not request.version:
        return None
    allowed = {
        rule.resource
        for rule in about.all()
        if rule.action == "allow" and rule.tool == request.tool and rule.source != "installation"
    }
    if not allowed - {request.version} or allowed & EVERYTHING:
        return None
    return f"asked: {request.tool} has changed since it was allowed; look at it again"


def _judge_line(request: PermissionRequest, text: str, rules: RuleSet) -> list[PartDecision]:
    """Judge every part of a command line; there is at least one."""
    line, layer = read_line(text), request.layer
    doubts = [*line.doubts]
    if line.started_doubts and holds_commands_back(request.tool, rules):
        doubts += line.started_doubts
    parts = [
        PartDecision(text, "ask", f"asked: {doubt}", doubtful=True)
        for doubt in dict.fromkeys(doubts)
    ]
    opened = [*_judge_files(line, request, rules)]
    commands = _judge_commands(line, request.tool, rules, layer, writes=_has_rule_basis(opened))
    by_default = not commands or any(one.basis == "exact" for one in commands)
    if layer == "none" and not line.plain and by_default:
        parts.append(PartDecision(text, "ask", _NOT_PLAIN))
    parts += [*commands, *opened, *_judge_started_files(line, request, rules)]
    parts += _judge_words(line, request, rules)
    return parts or [PartDecision(text, "allow", "default: it runs nothing", basis="exact")]


def _judge_commands(
    line: ShellLine, tool: str, rules: RuleSet, layer: Layer, *, writes: bool
) -> list[PartDecision]:
    """Judge the commands; those that only look count for less beside one that may write.

    What only looks is allowed because it runs where nothing can be written. A line with a command
    or a file that a rule allows runs where it can, so the looks in it are asked about, unless a
    rule allows them too.
    """
    commands: list[tuple[SimpleCommand, HarmlessKind | None]] = [
        (command, _classify_command(command)) for command in dict.fromkeys(line.commands)
    ]
    about = make_command_rules(tool, rules)

    def judge_all(defaults: _Defaults) -> list[PartDecision]:
        return [_judge_command(about, tool, command, kind, defaults) for command, kind in commands]

    parts = judge_all(_ALONE if layer == "none" else _READ_ONLY)
    if writes or (rules.all() and _has_rule_basis(parts)):
        beside = judge_all(_ALONE_BESIDE_RULES if layer == "none" else _BESIDE_RULES)
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


def _has_rule_basis(parts: list[PartDecision]) -> bool:
    return any(part.basis == "rule" for part in parts)


def _classify_command(command: SimpleCommand) -> HarmlessKind | None:
    return None if command.carrier or command.doubt else classify_harmless(command)


def _judge_command(
    about: CommandRules,
    tool: str,
    command: SimpleCommand,
    kind: HarmlessKind | None,
    defaults: _Defaults,
) -> PartDecision:
    harmless = kind if kind in defaults.allowed else None
    default = _ASKS if harmless is None else _HARMLESS[harmless]
    if command.carrier:
        default = defaults.carries
    decided = about.decide(command, default)
    if command.doubt and decided.action != "deny":
        decided = RuleDecision("ask", f"asked: {command.doubt}")
    # What a program reads is in no rule, so that none can cover the next call.
    unseen = command.doubt or reads_code(command.words)
    covering = None if unseen else partial(make_command_rule, command, tool)
    basis: Basis | None = None
    if decided.action == "allow" and not command.carrier:
        basis = _BASIS[harmless] if harmless else "rule"
    doubtful = bool(command.doubt) or (decided is _ASKS and may_start_another(command.words))
    return PartDecision(
        command,
        *decided,
        covering,
        doubtful,
        basis,
        hands_code=decided is _ASKS and hands_code(command.words),
    )


def _judge_files(
    line: ShellLine, request: PermissionRequest, rules: RuleSet
) -> Iterator[PartDecision]:
    for use in dict.fromkeys(line.files):
        meant = _resolve_path(use.path, request, moves=line.moves)
        if not (_is_system_path(meant, request) and meant.path in _NO_FILES):
            yield _judge_file(use, meant, request, rules)


def _judge_started_files(
    line: ShellLine, request: PermissionRequest, rules: RuleSet
) -> Iterator[PartDecision]:
    """Judge the files that are opened behind a runner: only rules that forbid it or ask count."""
    for use in dict.fromkeys(line.started_files):
        part = _judge_file(use, _resolve_path(use.path, request, moves=line.moves), request, rules)
        if part.action != "allow" and part.rule is not None:
            yield part


def _judge_file(
    use: FileUse, meant: ProgramPath, request: PermissionRequest, rules: RuleSet
) -> PartDecision:
    path = meant.path
    tool = "write_file" if use.how == "write" else "read_file"
    decided = decide_resource(tool, path, select_rules(tool, rules))
    coverable = use.how == "write" and UNKNOWN not in path
    if meant.outside and not path.startswith(_TEMPORARY):
        coverable = False
        if use.how == "write" and decided.action == "allow":
            # A rule names files of the workspace, never those of the system.
            decided = RuleDecision("ask", "asked: it is outside the workspace")
    named_so = _is_system_path(meant, request) and path.startswith(_NOT_FILES)
    if device := named_so or may_be_device(use.path.text):
        coverable = False
        if decided.action == "allow":
            decided = RuleDecision("ask", "asked: a device or the kernel is not a file")
    if request.layer == "none" and decided.action == "allow" and decided.rule is None:
        decided = RuleDecision("ask", "asked: no read-only sandbox stands behind this shell")
    doubtful = device or decided.reason.startswith(HOST_FILE_ASKED)
    covering = partial(make_write_rule, path) if coverable else None
    basis: Basis | None = None
    if decided.action == "allow":
        basis = "rule" if use.how == "write" else "looks"
    return PartDecision(_format_file_use(use.how, path), *decided, covering, doubtful, basis)


def _judge_words(
    line: ShellLine, request: PermissionRequest, rules: RuleSet
) -> Iterator[PartDecision]:
    """Judge every word as the path it may be: what may not be read may not be named either."""
    about = select_rules("read_file", rules)
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
        path = _resolve_path(Word(text, word.splits), request, moves=line.moves).path
        decided = decide_resource("read_file", path, about)
        if decided.action != "allow" and not path.startswith("/dev/fd/"):
            yield PartDecision(_format_file_use("read", path), *decided)


def _resolve_path(word: Word, request: PermissionRequest, *, moves: bool) -> ProgramPath:
    if moves and not word.text.startswith("/"):
        return ProgramPath(UNKNOWN)
    if UNKNOWN in word.text:
        return ProgramPath(normalize_path(word.text, request.cwd))
    return request.place.from_program(word.text, request.cwd)


def _is_system_path(meant: ProgramPath, request: PermissionRequest) -> bool:
    """Say whether a path may be a device: not where the workspace has a folder `dev` of its own."""
    return meant.outside or request.place.path == "/"


def _format_file_use(how: str, path: str) -> str:
    return f"{how} {path.replace(UNKNOWN, '…')}"
