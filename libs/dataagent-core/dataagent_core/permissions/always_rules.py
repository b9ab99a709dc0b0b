"""The rule that "always" adds: the sub-command and the options that were shown, and no others.

`git commit -m x` saves `git commit -m <args>`: another message, but neither `--amend` nor
`--no-verify`. `npm run build` saves `npm run build <args>`. A program without sub-commands, and a
command with an option that runs or writes elsewhere, saves exactly the words shown, so that
`rm a.txt` never allows `rm b.txt`. A table here (after opencode's) says how many words name what a
command does: it lists only programs whose sub-command does; for others no prefix is enough.
"""

from itertools import pairwise

from dataagent_core.permissions.command_patterns import ARGS, is_argument
from dataagent_core.permissions.patterns import escape_pattern
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.permissions.rules import Rule
from dataagent_core.permissions.shell.line import SimpleCommand, Word, names
from dataagent_core.permissions.shell.risks import find_risky_words
from dataagent_core.permissions.tool_groups import DELETE_TOOLS, TASK_TOOLS

_TWO = names(
    "git npm pnpm yarn bun cargo go pip pip3 uv poetry pipenv docker podman kubectl helm terraform "
    "brew apt apt-get dnf systemctl make just gradle mvn dotnet composer bazel rustup nx turbo "
    "deno swift flutter rake bundle mix sbt tox nox cmake"
)
_THREE = names("aws az gcloud gh doctl")
_NAMED = _TWO | _THREE
# An "always" about one of these is about what the call names.
_NARROW_TOOLS = DELETE_TOOLS | TASK_TOOLS
_THREE_AFTER = {
    "git": names("config remote stash worktree submodule"),
    "npm": names("run exec"),
    "pnpm": names("run exec"),
    "yarn": names("run"),
    "bun": names("run x"),
    "uv": names("run pip tool"),
    "poetry": names("run"),
    "pipenv": names("run"),
    "docker": names("compose container image network volume"),
    "podman": names("container image"),
    "kubectl": names("rollout"),
    "deno": names("task"),
    "cargo": names("run"),
    "terraform": names("workspace"),
    "bundle": names("exec"),
}


def make_call_rule(request: PermissionRequest, resource: str) -> Rule:
    """Give the rule that covers a call: its version, host, file to delete or sub-agent, or all."""
    narrow = request.version or request.tool in _NARROW_TOOLS or "url" in request.args
    covered = escape_pattern(resource) if narrow else "**"
    return Rule(request.tool, covered, "allow", "session")


def make_command_rule(command: SimpleCommand, tool: str) -> Rule | None:
    """Give the rule that covers a simple command, if it is known well enough."""
    if not all(word.known and word.text for word in command.words):
        return None
    named = _count_naming_words(command.words)
    if named and not find_risky_words(command.words):
        behind = command.words[named:]
        words = [
            *(_escape_word(word.text) for word in command.words[:named]),
            *(ARGS if is_argument(word) else _escape_word(word.text) for word in behind),
            ARGS,
        ]
        words = [
            words[0],
            *(word for before, word in pairwise(words) if word != ARGS or before != ARGS),
        ]
    else:
        words = [_escape_word(word.text) for word in command.words]
    return Rule(tool, " ".join(words), "allow", "session")


def make_write_rule(path: str) -> Rule:
    """Give the rule that covers writing one file."""
    return Rule("write_file", escape_pattern(path), "allow", "session")


def _escape_word(text: str) -> str:
    if text == ARGS:
        return "\\" + ARGS
    escapes = escape_pattern(text)
    return "".join("\\" + c if c.isspace() else c for c in escapes)


def _count_naming_words(words: tuple[Word, ...]) -> int | None:
    """Say how many words from the first name the command, if that is certain."""
    program, sub = words[0].text, words[1].text if len(words) > 1 else ""
    if program not in _NAMED:
        return None
    arity = 3 if program in _THREE or sub in _THREE_AFTER.get(program, ()) else 2
    named = words[:arity]
    plain = all(word.known and not word.text.startswith("-") for word in named)
    return arity if len(named) == arity and plain else None
