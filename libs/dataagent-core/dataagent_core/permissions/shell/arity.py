"""How many words name what a command does: `git status`, `npm run build` (after opencode's table).

Only programs whose sub-command says what they do; of others no beginning is enough.
"""

from dataagent_core.permissions.shell.name_list import names
from dataagent_core.permissions.shell.word import Word

_TWO = names(
    "git npm pnpm yarn bun cargo go pip pip3 uv poetry pipenv docker podman kubectl helm terraform "
    "brew apt apt-get dnf systemctl make just gradle mvn dotnet composer bazel rustup nx turbo "
    "deno swift flutter rake bundle mix sbt tox nox cmake"
)
_THREE = names("aws az gcloud gh doctl")
_NAMED = _TWO | _THREE
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


def words_that_name(words: tuple[Word, ...]) -> int | None:
    """Say how many words from the first name the command, if that is certain."""
    program, sub = words[0].text, words[1].text if len(words) > 1 else ""
    if program not in _NAMED:
        return None
    arity = 3 if program in _THREE or sub in _THREE_AFTER.get(program, ()) else 2
    named = words[:arity]
    plain = all(word.known and not word.text.startswith("-") for word in named)
    return arity if len(named) == arity and plain else None
