"""Takes the wrappers off a command, and opens the scripts that a shell is given as text.

Some builtins take names of variables. A name may have a subscript, and bash evaluates what stands
in it, substitutions included: `read 'a[$(rm x)]'`, `test -v 'a[$(rm x)]'`. Such a builtin is
certain only where each of its words surely is a plain name, a number or an option.
"""

import re
from collections.abc import Callable, Sequence

from dataagent_core.config.limits import (
    SHELL_SCRIPTS_DEEP_MAX,
    SHELL_STARTED_COMMANDS_MAX,
    SHELL_TREE_DEEP_MAX,
)
from dataagent_core.permissions.shell.environment import (
    explain_exported_variable,
    explain_passed_variable,
    explain_set_variable,
)
from dataagent_core.permissions.shell.line import (
    SOMETHING,
    TOO_MUCH,
    UNKNOWN,
    FileUse,
    ShellLine,
    Word,
    names,
    new_command,
    program_name,
)
from dataagent_core.permissions.shell.options import (
    OptionSyntax,
    UnknownOptionError,
    split_leading_options,
    split_options,
)
from dataagent_core.permissions.shell.programs.devices import is_everything, may_be_device
from dataagent_core.permissions.shell.runners import (
    list_started_commands,
    list_started_texts,
    may_be_runner,
)
from dataagent_core.permissions.shell.wrappers import (
    LAUNCHERS,
    MEANING_CHANGERS,
    SHELLS,
    WRAPPERS,
    Wrapper,
    find_script,
    only_checks,
    split_find,
    tells_version,
)

_TAKE_NAMES = names("read wait unset declare typeset local export readonly getopts")
_PLAIN = re.compile(r"[A-Za-z_]\w*(=[^\[$`(]*)?|[-+]\w*|\d+(\.\d+)?|%\d*", re.ASCII)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_BY_NAME = frozenset({"-v", "-R"})
# A conversion of printf that sets the variable it is given the name of.
_COUNTS = re.compile(r"%[^%A-Za-z(]*[hjlqtzL]*n")
# Adds what a text would do to a line: at a depth of scripts, run by a shell.
ReadScript = Callable[[str, ShellLine, int, str], None]
_SETTING = re.compile(r"[A-Za-z_]\w*=.*", re.ASCII | re.DOTALL)
# To programs every word with an equals sign is a setting, and `-` another `-i` of env.
_SETTING_OF_PROGRAM = re.compile(r".*=.*|-", re.DOTALL)
_SET_OPTIONS = re.compile(r"[-+][euxvfho]+|pipefail|errexit|nounset|xtrace")
_HANDLED_BUILTINS = names(
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
            self._open_shell(words, stdin, doubt)
        elif name in WRAPPERS:
            self._open_wrapped(words, WRAPPERS[name], stdin, doubt)
        elif name == "eval":
            self.open_text(words[1:], words, doubt)
        elif name == "trap":
            self._open_trap(words, doubt)
        elif name == "find":
            self._open_find(words, stdin, doubt)
        else:
            self._add_plain(words, stdin, doubt)

    def _add(self, words: Sequence[Word], doubt: str | None, *, carrier: bool = False) -> None:
        self._line.commands.append(new_command((tuple(words), doubt, carrier)))

    def _add_plain(self, words: list[Word], stdin: Word | None, doubt: str | None) -> None:
        if words[0].text in _HANDLED_BUILTINS:
            doubt = self._check_builtin(words, doubt)
        self._add(words, doubt)
        if may_be_runner(words):
            self._add_started(words, stdin)

    def _add_started(self, words: list[Word], stdin: Word | None) -> None:
        for started in list_started_commands(tuple(words)):
            self._add_forbiddable(started, stdin)
        if self._line.started < SHELL_STARTED_COMMANDS_MAX:
            for parts in list_started_texts(tuple(words)):
                self._add_forbiddable(parts, None, runner=words)

    def _add_forbiddable(
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

    def _check_builtin(self, words: list[Word], doubt: str | None) -> str | None:
        """Note the effects of a builtin; return why it is uncertain, if so."""
        name = words[0].text
        if name in {"cd", "pushd", "popd"}:
            self._line.moves = True
        if name == "tee":
            self._note_tee(words)
        if name == "set" and not all(_SET_OPTIONS.fullmatch(word.text) for word in words[1:]):
            doubt = doubt or "set changes how the rest is read"
        if may_evaluate(words):
            doubt = doubt or f"{name} may run what stands in a subscript"
        about = explain_exported_variable if name == "export" else explain_set_variable
        for variable in list_set_names(words):
            doubt = doubt or about(variable)
        return doubt

    def _note_tee(self, words: list[Word]) -> None:
        """Note what tee writes: every word that is not surely an option of its own."""
        try:
            _, operands = split_options(words[1:], _TEE)
        except UnknownOptionError:
            operands = words[1:]
        self._line.files += [FileUse(word, "write") for word in operands]

    def _open_wrapped(
        self, words: list[Word], wrapper: Wrapper, stdin: Word | None, doubt: str | None
    ) -> None:
        name = words[0].text
        try:
            options, inner = split_leading_options(words[1:], wrapper.syntax)
        except UnknownOptionError as error:
            self._add(words, doubt or f"the option {error} of {name} is not looked into")
            return
        if any(may_be_device(option) for option in options):
            doubt = doubt or f"{name} is given a device or a file of the kernel"
        while wrapper.takes_assignments and inner and _is_before_program(name, inner[0]):
            variable, _, value = inner[0].text.partition("=")
            doubt = doubt or explain_passed_variable(variable, Word(value))
            inner = inner[1:]
        inner = inner[wrapper.skips :]
        if name == "command" and {"-v", "-V"} & set(options):
            self._add([Word("which"), *inner], doubt)
            return
        if name == "env" and any(option.startswith(("-C", "--chdir")) for option in options):
            self._line.moves = True
        if name == "xargs":
            inner = _add_input_words(options, inner)
        if not inner:
            if name != "exec":
                self._add(words, doubt)
            return
        self._add(words, None, carrier=not wrapper.asks)
        self.open(inner, stdin, doubt)

    def _open_shell(self, words: list[Word], stdin: Word | None, doubt: str | None) -> None:
        if tells_version(words[1:]) or only_checks(words[1:]):
            self._add(words, doubt)
            return
        script, why_not = find_script(words, stdin)
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

    def _open_trap(self, words: list[Word], doubt: str | None) -> None:
        rest = [word for word in words[1:] if word.text != "--"]
        resets = len(rest) < 2 or rest[0].text in {"-", "-l", "-p"}  # noqa: PLR2004 (action, signal)
        if not resets:
            self.open_text(rest[:1], words, doubt)

    def _open_find(self, words: list[Word], stdin: Word | None, doubt: str | None) -> None:
        own, started, unfinished = split_find(words)
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


def _add_input_words(options: list[str], inner: list[Word]) -> list[Word]:
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


def may_evaluate(words: list[Word]) -> bool:
    """Say whether a builtin may evaluate a subscript."""
    name = words[0].text
    if name in _TAKE_NAMES:
        by_option = name == "wait" and any(word.text.startswith("-p") for word in words[1:])
        return by_option or not all(
            word.known and _PLAIN.fullmatch(word.text) for word in words[1:]
        )
    if name == "printf":
        return _printf_may_evaluate(words[1:])
    return name in {"test", "["} and _test_may_evaluate(words[1:])


def list_set_names(words: list[Word]) -> list[str]:
    """List what a builtin may set: every word of it that is the name of a variable."""
    if words[0].text not in _TAKE_NAMES and words[0].text != "printf":
        return []
    given = words[2:3] if words[0].text == "printf" else words[1:]
    found = [_IDENTIFIER.match(word.text) for word in given]
    return [name[0] for name in found if name is not None]


def _printf_may_evaluate(words: list[Word]) -> bool:
    if not words:
        return False
    if not words[0].text.startswith("-v"):
        return words[0].may_be_option or _format_may_set(words[words[0].text == "--" :])
    plain = [word.known and bool(_IDENTIFIER.fullmatch(word.text)) for word in words[1:2]]
    # Of two `-v` the last one counts.
    return (
        words[0].text != "-v"
        or plain != [True]
        or any(word.may_be_option or word.text.startswith("-v") for word in words[2:3])
        or _format_may_set(words[2 + any(word.text == "--" for word in words[2:3]) :])
    )


def _format_may_set(words: list[Word]) -> bool:
    """Say whether a format, with the words behind it, may set a variable to a number."""
    if len(words) <= 1:
        return False
    if _COUNTS.search(words[0].text.replace("%%", "")):
        return True
    return not words[0].known and any(
        not word.known or _IDENTIFIER.fullmatch(word.text) for word in words[1:]
    )


def _test_may_evaluate(words: list[Word]) -> bool:
    """Say whether a test may be one of a variable by name, now or once its words are known."""
    unknown_before = False
    for word in words:
        unknown = word.text.startswith(UNKNOWN)
        if word.splits or word.text in _BY_NAME or (unknown and unknown_before):
            return True
        unknown_before = unknown
    return False
