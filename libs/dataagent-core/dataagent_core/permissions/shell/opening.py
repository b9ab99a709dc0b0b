"""Takes the wrappers off a command, and opens the scripts that a shell is given as text."""

import re
from collections.abc import Callable, Sequence

from dataagent_core.config.limits import SHELL_SCRIPTS_DEEP_MAX
from dataagent_core.permissions.shell.environment import doubt_about_handing_on
from dataagent_core.permissions.shell.find import find_parts
from dataagent_core.permissions.shell.line import FileUse, ShellLine, SimpleCommand
from dataagent_core.permissions.shell.name_list import names
from dataagent_core.permissions.shell.names import program_name
from dataagent_core.permissions.shell.options import UnknownOptionError, after_options
from dataagent_core.permissions.shell.shells import script_of
from dataagent_core.permissions.shell.word import SOMETHING, UNKNOWN, Word
from dataagent_core.permissions.shell.wrappers import (
    LAUNCHERS,
    MEANING_CHANGERS,
    SHELLS,
    WRAPPERS,
    Wrapper,
)

ReadScript = Callable[[str, ShellLine, int], None]

_SETTING = re.compile(r"[A-Za-z_]\w*=.*", re.ASCII | re.DOTALL)
_SET_OPTIONS = re.compile(r"[-+][euxvfho]+|pipefail|errexit|nounset|xtrace")
_LOOKED_AT = names("cd pushd popd tee set read printf test [")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*|-\w*|\d+(\.\d+)?", re.ASCII)


class Opener:
    """Adds to a line the commands that a list of words would start."""

    def __init__(self, line: ShellLine, scripts_deep: int, read_script: ReadScript) -> None:
        self._line = line
        self._scripts_deep = scripts_deep
        self._read_script = read_script

    def open(self, words: list[Word], stdin: Word | None, doubt: str | None = None) -> None:
        """Note the command, or what it starts; `doubt` is what stands before it."""
        if not words:
            if doubt:
                self._line.doubt(doubt)
            return
        if "/" in words[0].text:
            words = [Word(program_name(words[0].text), words[0].splits), *words[1:]]
        self._start(words, stdin, doubt)

    def _start(self, words: list[Word], stdin: Word | None, doubt: str | None) -> None:
        name = words[0].text
        if not words[0].known or not name or not name.isascii():
            self._add(words, doubt or "which program runs cannot be known")
        elif name in MEANING_CHANGERS or name in LAUNCHERS:
            self._add(words, doubt or f"what {name} leads to cannot be known")
        elif name in SHELLS:
            self._shell(words, stdin, doubt)
        elif name in WRAPPERS:
            self._wrapped(words, WRAPPERS[name], stdin, doubt)
        elif name == "eval":
            self._text(words[1:], words, doubt)
        elif name == "trap":
            self._trap(words, doubt)
        elif name == "find":
            self._find(words, stdin, doubt)
        else:
            self._plain(words, doubt)

    def _add(self, words: Sequence[Word], doubt: str | None, *, carrier: bool = False) -> None:
        self._line.commands.append(SimpleCommand(tuple(words), doubt, carrier))

    def _plain(self, words: list[Word], doubt: str | None) -> None:
        if words[0].text in _LOOKED_AT:
            doubt = self._looked_at(words, doubt)
        self._add(words, doubt)

    def _looked_at(self, words: list[Word], doubt: str | None) -> str | None:
        """Note what a builtin does besides being a command; return why it is uncertain, if so."""
        name = words[0].text
        if name in {"cd", "pushd", "popd"}:
            self._line.moves = True
        if name == "tee":
            for word in words[1:]:
                if not word.known or not word.text.startswith("-"):
                    self._line.files.append(FileUse(word, "write"))
        if name == "set" and not all(_SET_OPTIONS.fullmatch(word.text) for word in words[1:]):
            doubt = doubt or "set changes how the rest is read"
        names_variables = name == "read" or (name == "printf" and words[1:2] == [Word("-v")])
        if names_variables and not all(_IDENTIFIER.fullmatch(w.text) for w in words[1:3]):
            doubt = doubt or f"{name} may run what stands in a subscript"
        if name in {"test", "["} and any(w.text in {"-v", "-R"} for w in words[1:]):
            doubt = doubt or "a test of a variable by name may run what stands in its subscript"
        return doubt

    def _wrapped(
        self, words: list[Word], wrapper: Wrapper, stdin: Word | None, doubt: str | None
    ) -> None:
        name = words[0].text
        try:
            options, inner = after_options(words[1:], wrapper.syntax)
        except UnknownOptionError as error:
            self._add(words, doubt or f"the option {error} of {name} is not looked into")
            return
        while wrapper.takes_assignments and inner and _SETTING.fullmatch(inner[0].text):
            variable, _, value = inner[0].text.partition("=")
            doubt = doubt or doubt_about_handing_on(variable, Word(value))
            inner = inner[1:]
        inner = inner[wrapper.skips :]
        if name == "command" and {"-v", "-V"} & set(options):
            self._add([Word("which"), *inner], doubt)
            return
        if name == "env" and any(option.startswith(("-C", "--chdir")) for option in options):
            self._line.moves = True
        if name == "xargs":
            inner = _with_input(options, inner)
        if not inner:
            if name != "exec":
                self._add(words, doubt)
            return
        self._add(words, None, carrier=not wrapper.asks)
        self.open(inner, stdin, doubt)

    def _shell(self, words: list[Word], stdin: Word | None, doubt: str | None) -> None:
        script, why_not = script_of(words, stdin)
        if why_not:
            self._add(words, doubt or why_not)
        elif script is None:
            self._add(words, doubt)
        else:
            self._text([script], words, doubt)

    def _text(self, parts: Sequence[Word], words: Sequence[Word], doubt: str | None) -> None:
        """Read the text that a command runs as a script."""
        if parts and parts[0].text == "--":
            parts = parts[1:]
        if not all(part.known for part in parts):
            self._add(words, doubt or f"what {words[0]} runs cannot be known")
        elif self._scripts_deep >= SHELL_SCRIPTS_DEEP_MAX:
            self._add(words, doubt or "its scripts are nested too deeply")
        else:
            self._add(words, doubt, carrier=True)
            text = " ".join(part.text for part in parts)
            self._read_script(text, self._line, self._scripts_deep + 1)

    def _trap(self, words: list[Word], doubt: str | None) -> None:
        rest = [word for word in words[1:] if word.text != "--"]
        resets = len(rest) < 2 or rest[0].text in {"-", "-l", "-p"}  # noqa: PLR2004 (action, signal)
        if not resets:
            self._text(rest[:1], words, doubt)

    def _find(self, words: list[Word], stdin: Word | None, doubt: str | None) -> None:
        own, started, unfinished = find_parts(words)
        if unfinished:
            doubt = doubt or "its -exec has no end"
        self._add(own, doubt)
        for inner in started:
            self._add([words[0], Word("-exec"), *inner], None, carrier=True)
            self.open(inner, stdin, doubt)


def _with_input(options: list[str], inner: list[Word]) -> list[Word]:
    """Add to what xargs starts the words it will read, wherever they go."""
    inner = inner or [Word("echo")]
    for option in options:
        if option.startswith("-I="):
            mark = option[3:]
            return [
                Word(w.text.replace(mark, UNKNOWN), splits=w.splits) if mark in w.text else w
                for w in inner
            ]
    return [*inner, SOMETHING]
