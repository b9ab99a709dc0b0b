"""Finds the program of a server's command, and checks whether a policy allows it.

It is looked up on the PATH of our own process, never on one of the configuration. The resolved file
is compared, so a program of the same name elsewhere is another program.
"""

import fnmatch
import os
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from dataagent_core.errors import ConfigurationError, MCPServerError
from dataagent_core.mcp.config import MCPServerConfig

_NPM = re.compile(r"(?P<name>(@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*)(@[\w.^~*+-]+)?")
_PYPI = re.compile(r"(?P<name>[A-Za-z0-9][\w.-]*)(\[[\w,.-]+\])?((@|==)[\w.*+-]+)?", re.ASCII)
_FROM = "--from"
# Options allowed before the package: none that adds another package or a command.
_RUNNERS = {
    "npx": (_NPM, frozenset({"-y", "--yes", "-q", "--quiet", "--prefer-offline"})),
    "uvx": (_PYPI, frozenset({"-q", "--quiet", "--offline", "--isolated", _FROM})),
}
# Variables that make an allowed program run other code, or load packages from elsewhere.
_DANGEROUS_VARIABLE = re.compile(
    r"(LD_|DYLD_|NODE_|PYTHON|PERL|RUBY|GEM_|BASH_|JAVA_|_JAVA|JDK_|CLASSPATH|GIT_|SSH_|"
    r"NPM_|UV_|PIP_|XDG_|DENO_|BUN_|DOTNET_|GCONV_|GLIBC_|MALLOC_|PATH$|ENV$|HOME$|IFS$|TMPDIR$|"
    r"EDITOR$|VISUAL$|PAGER$|SHELL)",
    re.IGNORECASE,
)


def find_program(config: MCPServerConfig, environ: Mapping[str, str]) -> str:
    """Return the absolute path of a server's program, links not followed."""
    command = config.command
    if os.sep in command and not Path(command).expanduser().is_absolute():
        raise MCPServerError(
            config.name,
            f"cannot be started: its command {command!r} is a relative path. "
            "Write the absolute path of the program, or its name alone.",
        )
    found = _which(command, environ)
    if found is None:
        raise MCPServerError(
            config.name,
            f"cannot be started: there is no program {command!r} here. "
            f"Install it so that it is on the PATH{_hint(command)}, or write its absolute path.",
        )
    return found


def check_ours(config: MCPServerConfig, program: str, environ: Mapping[str, str]) -> None:
    """Raise unless a program lies in a folder of our PATH.

    Where people may write files, a program of theirs could be a link to anything, whose files
    would be mounted for it.
    """
    ours = environ.get("PATH", os.defpath).split(os.pathsep)
    if os.path.realpath(Path(program).parent) not in map(os.path.realpath, filter(None, ours)):
        raise MCPServerError(
            config.name,
            f"may not be started here: {config.command!r} is not a program of this machine's PATH. "
            "The person who runs DataAgent can allow it by its path.",
        )


def check_allowed(
    config: MCPServerConfig,
    program: str,
    commands: Sequence[str] | None,
    environ: Mapping[str, str],
) -> None:
    """Raise if the policy lists commands and this one is not among them."""
    if commands is None:
        return
    entries = map(_split_entry, commands)
    matching = [entry for entry in entries if _is_same(entry, program, environ)]
    if not any(_match_arguments(entry, config.args) for entry in matching):
        offered = ", ".join(map(repr, commands)) or "none"
        shown = " ".join([config.command, *config.args[:2]])
        raise MCPServerError(
            config.name,
            f"may not be started here: {shown!r} is not among the allowed commands ({offered}). "
            "The person who runs DataAgent can allow it.",
        )
    dangerous = sorted(name for name in config.env if _DANGEROUS_VARIABLE.match(name))
    if dangerous:
        raise MCPServerError(
            config.name,
            f"may not be started here with the variable {dangerous[0]!r}, which could make an "
            "allowed program run something else. Remove it from `env`.",
        )


def _which(command: str, environ: Mapping[str, str]) -> str | None:
    named = str(Path(command).expanduser()) if os.sep in command else command
    return shutil.which(named, path=environ.get("PATH", os.defpath))


def _split_entry(entry: str) -> list[str]:
    """Split an allowed command as a shell does; an unpaired quote is a normal character."""
    try:
        return shlex.split(entry)
    except ValueError:
        return entry.split()


def _is_same(entry: Sequence[str], program: str, environ: Mapping[str, str]) -> bool:
    """Compare files and names: one file can be many programs by the name it is called by."""
    if not entry:
        return False
    allowed = _which(entry[0], environ)
    return (
        allowed is not None
        and Path(allowed).name == Path(program).name
        and os.path.realpath(allowed) == os.path.realpath(program)
    )


def _match_arguments(entry: Sequence[str], args: Sequence[str]) -> bool:
    if len(entry) == 1:
        return True
    runner = _RUNNERS.get(Path(entry[0]).name)
    if runner is None:
        raise ConfigurationError(
            f"The allowed command {' '.join(entry)!r} names a package, which only `npx` and `uvx` "
            "take. Write the program alone."
        )
    form, options = runner
    words = _said_words(args, options)
    names = [match["name"] for word in words if (match := form.fullmatch(word))]
    return len(names) == len(words) > 0 and all(
        any(fnmatch.fnmatchcase(name, pattern) for pattern in entry[1:]) for name in names
    )


def _said_words(args: Sequence[str], options: frozenset[str]) -> Sequence[str]:
    """Give the words that say what is run: the package, and the command of it behind `--from`.

    Another option in the policy of either is no name. The command counts too: `python` comes with
    every package, and runs anything.
    """
    first = next((at for at, word in enumerate(args) if word not in options), len(args))
    wanted = 2 if _FROM in args[:first] else 1
    words = args[first : first + wanted]
    return words if len(words) == wanted else ()


def _hint(command: str) -> str:
    match command:
        case "npx" | "node" | "npm":
            return " (it comes with Node.js)"
        case "uvx" | "uv":
            return " (`pip install uv` brings it)"
        case _:
            return ""
