"""Takes the wrappers off a command, and opens the scripts that a shell is given as text."""

import re
from collections.abc import Callable, Sequence

from dataagent_core.config.limits import (
    SHELL_SCRIPTS_DEEP_MAX,
    SHELL_STARTED_COMMANDS_MAX,
    SHELL_TREE_DEEP_MAX,
)
from dataagent_core.permissions.shell.builtin_commands import may_evaluate, names_set
from dataagent_core.permissions.shell.environment import (
    doubt_about_exporting,
    doubt_about_handing_on,
    doubt_about_setting,
)
from dataagent_core.permissions.shell.line import TOO_MUCH, FileUse, ShellLine, new_command
from dataagent_core.permissions.shell.names import names, program_name
from dataagent_core.permissions.shell.options import (
    OptionSyntax,
    UnknownOptionError,
    after_options,
    options_and_operands,
)
from dataagent_core.permissions.shell.programs.devices import is_everything, may_be_device
from dataagent_core.permissions.shell.runners import (
    list_started_commands,
    may_be_runner,
    texts_started_by,
)
from dataagent_core.permissions.shell.word import SOMETHING, UNKNOWN, Word
from dataagent_core.permissions.shell.wrappers import (
    LAUNCHERS,
    MEANING_CHANGERS,
    SHELLS,
    WRAPPERS,
    Wrapper,
    find_parts,
    only_checks,
    script_of,
    tells_version,
)

# Adds what a text would do to a line: at a depth of scripts, run by a shell.
ReadScript = Callable[[str, ShellLine, int, str], None]

_SETTING = re.compile(r"[A-Za-z_]\w*=.*", re.ASCII | re.DOTALL)
# To programs every word with an equals sign is a setting, and `-` another `-i` of env.
_SETTING_OF_PROGRAM = re.compile(r".*=.*|-", re.DOTALL)
_SET_OPTIONS = re.compile(r"[-+][euxvfho]+|pipefail|errexit|nounset|xtrace")
_LOOKED_AT = names(
    "cd pushd popd tee set read printf test [ wait unset declare typeset local export readonly "
    "getopts"
)
_PLACING = frozenset({"-I", "-n", "-L", "--"})
_TEE = OptionSyntax("aip", "", ("append", "ignore-interrupts", "output-error"), ())


class CommandOpener:
    """Adds to a line the commands that a list of words would start."""

    def __init__(
        self, line: ShellLine, scripts_deep: int, read_script: ReadScript, shell: str = "bash"
    ) -> None:
        self._line = line
        self._scripts_deep = scripts_deep
        self._read_script = read_script
        self._shell_name = shell

    def open(self, words: list[Word], stdin: Word | None, doubt: str | None = None) -> None:
        """Note the command, or what it starts; `doubt` is what stands before it."""
        if not words:
            if doubt:
                self._line.doubt(doubt)
            return
        if "/" in words[0].text:
            words = [Word(program_name(words[0].text), words[0].splits), *words[1:]]
        self._line.deep += 1
        if self._line.deep > SHELL_TREE_DEEP_MAX:
            self._add(words, doubt or TOO_MUCH)
        else:
            self._start(words, stdin, doubt)
        self._line.deep -= 1

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
            self.open_text(words[1:], words, doubt)
        elif name == "trap":
            self._trap(words, doubt)
        elif name == "find":
            self._find(words, stdin, doubt)
        else:
            self._plain(words, stdin, doubt)

    def _add(self, words: Sequence[Word], doubt: str | None, *, carrier: bool = False) -> None:
        self._line.commands.append(new_command((tuple(words), doubt, carrier)))

    def _plain(self, words: list[Word], stdin: Word | None, doubt: str | None) -> None:
        if words[0].text in _LOOKED_AT:
            doubt = self._looked_at(words, doubt)
        self._add(words, doubt)
        if may_be_runner(words):
            self._run_by(words, stdin)

    def _run_by(self, words: list[Word], stdin: Word | None) -> None:
        for started in list_started_commands(tuple(words)):
            self._forbid(started, stdin)
        if self._line.started < SHELL_STARTED_COMMANDS_MAX:
            for parts in texts_started_by(tuple(words)):
                self._forbid(parts, None, runner=words)

    def _forbid(
        self, words: Sequence[Word], stdin: Word | None, *, runner: Sequence[Word] = ()
    ) -> None:
        """Add what a command may start beside itself: only rules that forbid it or ask count.

        With a `runner` the words are the text of a script that it gives to a shell.
        """
        line = self._line
        line.started += 1
        if (
            line.started >= SHELL_STARTED_COMMANDS_MAX
            or self._scripts_deep >= SHELL_SCRIPTS_DEEP_MAX
        ):
            line.started_doubts.append(TOO_MUCH)
            return
        started = ShellLine(deep=line.deep, started=line.started)
        opener = CommandOpener(started, self._scripts_deep + 1, self._read_script, self._shell_name)
        if runner:
            opener.open_text(words, runner, None)
        else:
            opener.open([*words], stdin)
        for command in started.commands:
            if command.doubt and (command.words != tuple(words) or _may_be_program(words[0])):
                line.started_doubts.append(command.doubt)
            if command.words != tuple(runner):
                self._add(command.words, None, carrier=True)
        line.started = started.started
        line.moves = line.moves or started.moves
        line.started_files += [*started.files, *started.started_files]
        line.started_doubts += [*started.doubts, *started.started_doubts]

    def _looked_at(self, words: list[Word], doubt: str | None) -> str | None:
        """Note what a builtin does besides being a command; return why it is uncertain, if so."""
        name = words[0].text
        if name in {"cd", "pushd", "popd"}:
            self._line.moves = True
        if name == "tee":
            self._tee(words)
        if name == "set" and not all(_SET_OPTIONS.fullmatch(word.text) for word in words[1:]):
            doubt = doubt or "set changes how the rest is read"
        if may_evaluate(words):
            doubt = doubt or f"{name} may run what stands in a subscript"
        about = doubt_about_exporting if name == "export" else doubt_about_setting
        for variable in names_set(words):
            doubt = doubt or about(variable)
        return doubt

    def _tee(self, words: list[Word]) -> None:
        """Note what tee writes: every word that is not surely an option of its own."""
        try:
            _, operands = options_and_operands(words[1:], _TEE)
        except UnknownOptionError:
            operands = words[1:]
        self._line.files += [FileUse(word, "write") for word in operands]

    def _wrapped(
        self, words: list[Word], wrapper: Wrapper, stdin: Word | None, doubt: str | None
    ) -> None:
        name = words[0].text
        try:
            options, inner = after_options(words[1:], wrapper.syntax)
        except UnknownOptionError as error:
            self._add(words, doubt or f"the option {error} of {name} is not looked into")
            return
        if any(may_be_device(option) for option in options):
            doubt = doubt or f"{name} is given a device or a file of the kernel"
        while wrapper.takes_assignments and inner and _is_before_program(name, inner[0]):
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
        if tells_version(words[1:]) or only_checks(words[1:]):
            self._add(words, doubt)
            return
        script, why_not = script_of(words, stdin)
        if why_not:
            self._add(words, doubt or why_not)
        elif script is None:
            self._add(words, doubt)
        else:
            self.open_text([script], words, doubt, shell=words[0].text)

    def open_text(
        self,
        parts: Sequence[Word],
        words: Sequence[Word],
        doubt: str | None,
        shell: str | None = None,
    ) -> None:
        """Read the text that a command runs as a script, by another shell or by this one."""
        if parts and parts[0].text == "--":
            parts = parts[1:]
        if not all(part.known for part in parts):
            self._add(words, doubt or f"what {words[0]} runs cannot be known")
        elif self._scripts_deep >= SHELL_SCRIPTS_DEEP_MAX:
            self._add(words, doubt or "its scripts are nested too deeply")
        else:
            self._add(words, doubt, carrier=True)
            text = " ".join(part.text for part in parts)
            self._read_script(text, self._line, self._scripts_deep + 1, shell or self._shell_name)

    def _trap(self, words: list[Word], doubt: str | None) -> None:
        rest = [word for word in words[1:] if word.text != "--"]
        resets = len(rest) < 2 or rest[0].text in {"-", "-l", "-p"}  # noqa: PLR2004 (action, signal)
        if not resets:
            self.open_text(rest[:1], words, doubt)

    def _find(self, words: list[Word], stdin: Word | None, doubt: str | None) -> None:
        own, started, unfinished = find_parts(words)
        if unfinished:
            doubt = doubt or "its -exec has no end"
        if started and any(is_everything(word) for word in own[1:]):
            doubt = doubt or "it starts a command for every file there is, the kernel's too"
        self._add(own, doubt)
        for inner in started:
            self._add([words[0], Word("-exec"), *inner], None, carrier=True)
            self.open(inner, stdin, doubt)


def _may_be_program(word: Word) -> bool:
    """Say whether a word behind a runner is surely known, and no word of the shell's own."""
    return word.known and bool(word.text) and word.text not in MEANING_CHANGERS


def _is_before_program(wrapper: str, word: Word) -> bool:
    """Say whether a word sets a variable, and the program comes behind it."""
    setting = _SETTING if wrapper == "time" else _SETTING_OF_PROGRAM
    return setting.fullmatch(word.text) is not None


def _with_input(options: list[str], inner: list[Word]) -> list[Word]:
    """Add to what xargs starts the words it will read, wherever they go.

    Of several options that say where, the last one counts for some versions of xargs and not for
    others: then the words may stand in every one of the places.
    """
    inner = inner or [Word("echo")]
    placing = [option for option in options if option[:2] in _PLACING]
    for option in placing:
        mark = option.removeprefix("-I=") if option.startswith("-I=") else ""
        if mark:
            inner = [
                Word(w.text.replace(mark, UNKNOWN), splits=w.splits) if mark in w.text else w
                for w in inner
            ]
    only_marked = len(placing) == 1 and placing[0].startswith("-I=")
    return inner if only_marked else [*inner, SOMETHING]
