"""Programs whose sub-command starts another program: `uv run X`, `docker exec C X`, `ssh HOST X`.

They are judged as themselves, not opened like a wrapper: a rule that allows `uv run *` is meant
that way. But what a rule forbids is forbidden behind them too.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Final

from dataagent_core.config.limits import SHELL_STARTED_COMMANDS_MAX
from dataagent_core.permissions.shell.line import Word

# How many words that are no options stand between the program's name and what it starts: its
# sub-command is written out here, a container, a host or a folder is counted.
_RUNNERS: Final[dict[tuple[str, ...], int]] = {
    **dict.fromkeys(
        (
            *(("uv", "run"), ("uvx",), ("uv", "tool", "run"), ("pipx", "run"), ("rye", "run")),
            *(("poetry", "run"), ("pipenv", "run"), ("pdm", "run"), ("hatch", "run")),
            *(("coverage", "run"), ("conda", "run"), ("mamba", "run"), ("micromamba", "run")),
            *(("npx",), ("bunx",), ("npm", "exec"), ("npm", "x"), ("pnpm", "exec"), ("pnpx",)),
            *(("pnpm", "dlx"), ("yarn", "exec"), ("yarn", "dlx"), ("yarn", "run"), ("yarn",)),
            *(("bun", "x"), ("bun", "run"), ("volta", "run"), ("fnm", "exec"), ("bundle", "exec")),
            *(("pyenv", "exec"), ("rbenv", "exec"), ("asdf", "exec"), ("mise", "exec")),
            *(("mise", "x"), ("nix", "run"), ("cross-env",), ("dotenv", "run"), ("dotenvx", "run")),
            *(("valgrind",), ("hyperfine",), ("perf", "stat"), ("perf", "record"), ("tini",)),
            *(("dumb-init",), ("setarch",), ("linux64",), ("choom",), ("ssh-agent",)),
            *(("bun", "exec"), ("cross-env-shell",), ("nix-shell",), ("watchexec",)),
            *(("nodemon",), ("concurrently",), ("opentelemetry-instrument",)),
        ),
        0,
    ),
    **dict.fromkeys(
        (
            *(("docker", "exec"), ("docker", "run"), ("podman", "exec"), ("podman", "run")),
            *(("docker", "container", "exec"), ("docker", "container", "run")),
            *(("podman", "container", "exec"), ("podman", "container", "run")),
            *(("docker", "compose", "exec"), ("docker", "compose", "run"), ("kubectl", "exec")),
            *(("docker-compose", "exec"), ("docker-compose", "run"), ("kubectl", "run")),
            *(("rustup", "run"), ("direnv", "exec"), ("ssh",), ("nvm", "exec"), ("logsave",)),
        ),
        1,
    ),
}
# A shell reads what these start: their words joined, each of their words, or an option's value.
_JOINS: Final = frozenset(
    {
        *(("ssh",), ("watchexec",), ("nodemon",), ("cross-env-shell",)),
        *(("yarn", "exec"), ("bun", "exec"), ("hatch", "run")),
    }
)
_EACH: Final = frozenset({("hyperfine",), ("concurrently",)})
_TEXT_OPTIONS: Final[dict[str, frozenset[str]]] = {
    **dict.fromkeys(("npx", "npm", "pnpm", "pnpx"), frozenset({"-c", "--call"})),
    "mise": frozenset({"-c", "--command"}),
    "nix-shell": frozenset({"--run", "--command"}),
    "nodemon": frozenset({"-x", "--exec"}),
}
_PROGRAMS: Final = frozenset(names[0] for names in _RUNNERS)
_FOR_SHELL: Final = re.compile(r"[\s;&|<>()$`\x00]")


def may_be_runner(words: Sequence[Word]) -> bool:
    """Say whether a command is one of these programs; most are not."""
    return words[0].text in _PROGRAMS


def list_started_commands(words: tuple[Word, ...]) -> list[tuple[Word, ...]]:
    """List the commands that one of these programs may start.

    There is more than one where a word behind an option may be its value or the program; where
    there are too many, `opener.py` makes a doubt of it.
    """
    if not may_be_runner(words):
        return []
    return [*islice(_drop_repeated(_find_commands(words)), SHELL_STARTED_COMMANDS_MAX)]


def list_started_texts(words: tuple[Word, ...]) -> list[tuple[Word, ...]]:
    """List the texts that one of these programs may give to a shell; joined words are one text."""
    return [*islice(_drop_repeated(_find_texts(words)), SHELL_STARTED_COMMANDS_MAX)]


def _drop_repeated(found: Iterable[tuple[Word, ...]]) -> Iterator[tuple[Word, ...]]:
    seen: set[tuple[Word, ...]] = set()
    for one in found:
        if one not in seen:
            seen.add(one)
            yield one


def _find_texts(words: tuple[Word, ...]) -> Iterator[tuple[Word, ...]]:
    for names, skips, index in _find_runners(words):
        if names in _EACH:
            yield from ((word,) for word in words[index:] if not word.text.startswith("-"))
            yield from _find_option_values(words[index:])
        yield from _find_text_options(words, _TEXT_OPTIONS.get(names[0], frozenset()))
        joined = (
            words[at:]
            for at in _find_starts(words, skips, index)
            if names in _JOINS or at == len(words) - 1
        )
        values = _find_option_values(words[index:]) if names in _JOINS else ()
        for text in chain(joined, values):
            if any(word.splits or _FOR_SHELL.search(word.text) for word in text):
                yield text


def _find_option_values(words: tuple[Word, ...]) -> Iterator[tuple[Word, ...]]:
    """List what stands behind the equals sign of an option."""
    for word in words:
        if word.text.startswith("-") and "=" in word.text:
            yield (word._replace(text=word.text.partition("=")[2]),)


def _find_text_options(
    words: tuple[Word, ...], options: frozenset[str]
) -> Iterator[tuple[Word, ...]]:
    for at, word in enumerate(words):
        option, equals, value = word.text.partition("=")
        if option in options:
            yield (word._replace(text=value),) if equals else words[at + 1 : at + 2]


def _find_commands(words: tuple[Word, ...]) -> Iterator[tuple[Word, ...]]:
    for _, skips, index in _find_runners(words):
        yield from (words[at:] for at in _find_starts(words, skips, index))


def _find_starts(words: tuple[Word, ...], skips: int, index: int) -> Iterator[int]:
    """List where a program may begin behind a sub-command that ends before `index`."""
    certain, possible, behind_option = 0, 0, False
    for at in range(index, len(words)):
        text = words[at].text
        if text.startswith("-"):
            behind_option = _may_take_next(text)
            continue
        if possible >= skips:
            yield at
        certain += not behind_option
        if certain > skips:
            return
        possible += 1
        behind_option = False


def _find_runners(words: tuple[Word, ...]) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """List the entries that a command may match, and where the words behind the names begin."""
    for names, skips in _RUNNERS.items():
        if names[0] == words[0].text:
            for index in _find_ends_of_names(words, names):
                yield names, skips, index


def _find_ends_of_names(words: tuple[Word, ...], names: tuple[str, ...]) -> Iterator[int]:
    """List where the words behind a sub-command begin.

    Options may stand before it, and a word behind one of them may be its value.
    """
    if len(names) == 1:
        yield 1
        return
    matched, behind_option = {1}, False
    for at, word in enumerate(words[1:], 1):
        if word.text.startswith("-"):
            behind_option = _may_take_next(word.text)
            continue
        further = {count + 1 for count in matched if names[count] == word.text}
        if len(names) in further:
            further.remove(len(names))
            yield at + 1
        matched = further | matched if behind_option else further
        behind_option = False
        if not matched:
            return


def _may_take_next(option: str) -> bool:
    return option != "--" and "=" not in option
