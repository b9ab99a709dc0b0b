"""Which variables a command line may set without changing what the commands in it mean."""

import re

from dataagent_core.permissions.shell.line import Word

# Passed to a program: only those known to change nothing but the format of its output.
_HARMLESS = re.compile(
    r"LANG|LANGUAGE|LC_[A-Z]+|TZ|COLUMNS|LINES|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR|CI"
    r"|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|NODE_ENV|RUST_BACKTRACE|VERBOSE|QUIET"
)
_HARMLESS_VALUE = re.compile(r"[\w.@:+-]*", re.ASCII)

# Set in the shell itself: those that bash, or a program it has already exported them to, obeys.
_OBEYED = re.compile(
    r"PATH|IFS|ENV|HOME|PWD|OLDPWD|CDPATH|GLOBIGNORE|EXECIGNORE|PS[0-4]|SHELL|PROMPT_COMMAND"
    r"|SHELLOPTS|BASHOPTS|EDITOR|VISUAL|PAGER|BROWSER|TMPDIR|TMOUT|POSIXLY_CORRECT|LESS\w*|MAN\w*"
    r"|(LD|DYLD|BASH|GIT|SSH|PYTHON|PERL|RUBY|NODE|NPM|JAVA|MALLOC|GLIBC|LC|PIP|UV|CARGO|RUST|GO"
    r"|DOCKER|AWS|CURL|WGET|SUDO|RIPGREP|GREP|TAR|XDG)_?\w*|GCONV_PATH|LOCPATH|NLSPATH|LANG"
    r"|.*_proxy"
    # Bash calculates with what it finds in these, or gives them a meaning of their own.
    r"|S?RANDOM|SECONDS|LINENO|OPTIND|HISTCMD|EPOCH(SECONDS|REALTIME)|FUNCNEST|DIRSTACK|GROUPS"
    r"|FUNCNAME|COMP_\w+|HIST\w*|MAIL|MAILPATH|MAILCHECK|TIMEFORMAT",
    re.IGNORECASE,
)


def explain_passed_variable(name: str, value: Word | None) -> str | None:
    """Say why a variable set for one program makes that program uncertain, if it does."""
    plain = value is not None and value.known and _HARMLESS_VALUE.fullmatch(value.text)
    if plain and _HARMLESS.fullmatch(name):
        return None
    return f"it sets {name}, which may change what the command does"


def explain_exported_variable(name: str) -> str:
    """Say why a variable that the shell exports from now on makes the rest uncertain."""
    return f"it hands {name} on, whatever it holds, which may change what the commands do"


def explain_set_variable(name: str) -> str | None:
    """Say why setting a variable of the shell makes the rest uncertain, if it does."""
    if _OBEYED.fullmatch(name):
        return f"it sets {name}, which may change what the commands do"
    return None
