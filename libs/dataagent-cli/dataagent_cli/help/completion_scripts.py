"""The scripts that connect a shell's Tab key with us: click's own, except for bash.

Bash splits words at colons, and a model's name contains one (`provider:name`). So our bash script
passes the line as it was typed, and answers are cut where bash inserts them.
"""

import os
from typing import Any, ClassVar

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    ShellComplete,
    add_completion_class,
    get_completion_class,
    split_arg_string,
)

from dataagent_cli.help import COMPLETION_VARIABLE

SHELLS = ("bash", "zsh", "fish")

_BASH = r"""%(complete_func)s() {
    local completion
    COMPREPLY=()
    while IFS= read -r completion; do
        case $completion in
            dir,*) compopt -o dirnames 2>/dev/null ;;
            file,*) compopt -o default 2>/dev/null ;;
            plain,*) COMPREPLY+=("${completion#plain,}") ;;
        esac
    done < <(COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_WORDBREAKS="$COMP_WORDBREAKS" \
        %(complete_var)s=bash_complete "$1" 2>/dev/null)
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""


class BashLineCompletion(BashComplete):
    """Completes the typed line instead of bash's words."""

    source_template: ClassVar[str] = _BASH
    _typed = ""

    def source(self) -> str:
        # Click's own checks the version of an installed bash; the script may be for another
        # machine.
        return ShellComplete.source(self)

    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ.get("COMP_LINE", "")
        words = split_arg_string(line)[1:]
        self._typed = words.pop() if words and not line[-1].isspace() else ""
        return words, self._typed

    def format_completion(self, item: CompletionItem[Any]) -> str:
        breaks = os.environ.get("COMP_WORDBREAKS", "")
        return f"{item.type},{after_last_break(self._typed, str(item.value), breaks)}"


def after_last_break(typed: str, value: str, breaks: str) -> str:
    """Return the part of a value that replaces bash's last word. Pure."""
    # `--model=openai:g` is completed to `openai:gpt`: the text before `=` is not in the value.
    given = typed.partition("=")[2] if typed.startswith("--") and "=" in typed else typed
    at = max((given.rfind(char) for char in breaks if not char.isspace()), default=-1)
    return value[at + 1 :] if value.startswith(given[: at + 1]) else value


def register() -> None:
    """Replace click's bash completion by ours."""
    add_completion_class(BashLineCompletion, "bash")


def script_for(shell: str, cli: click.Command, program: str) -> str:
    """Return the script a shell reads."""
    register()
    kind = get_completion_class(shell)
    if kind is None:
        raise click.BadParameter(f"{shell!r} is none of {', '.join(SHELLS)}.")
    return kind(cli, {}, program, COMPLETION_VARIABLE).source()
