"""The rule that "always" adds: the sub-command and the options that were shown, and no others.

`git commit -m x` saves `git commit -m <args>`: another message, but neither `--amend` nor
`--no-verify`. `npm run build` saves `npm run build <args>`. A program without sub-commands, and a
command with an option that runs or writes elsewhere, saves exactly the words shown, so that
`rm a.txt` never allows `rm b.txt`.
"""

from itertools import pairwise

from dataagent_core.permissions.patterns import escaped
from dataagent_core.permissions.rule import Rule
from dataagent_core.permissions.shell.arity import words_that_name
from dataagent_core.permissions.shell.line import SimpleCommand
from dataagent_core.permissions.shell.risks import risky_places
from dataagent_core.permissions.word_patterns import ARGS, is_argument


def rule_for_command(command: SimpleCommand, tool: str) -> Rule | None:
    """Give the rule that covers a simple command, if it is known well enough."""
    if not all(word.known and word.text for word in command.words):
        return None
    named = words_that_name(command.words)
    if named and not risky_places(command.words):
        behind = command.words[named:]
        words = [
            *(_pattern_word(word.text) for word in command.words[:named]),
            *(ARGS if is_argument(word) else _pattern_word(word.text) for word in behind),
            ARGS,
        ]
        words = [
            words[0],
            *(word for before, word in pairwise(words) if word != ARGS or before != ARGS),
        ]
    else:
        words = [_pattern_word(word.text) for word in command.words]
    return Rule(tool, " ".join(words), "allow", "session")


def rule_for_write(path: str) -> Rule:
    """Give the rule that covers writing one file."""
    return Rule("write_file", escaped(path), "allow", "session")


def _pattern_word(text: str) -> str:
    if text == ARGS:
        return "\\" + ARGS
    escapes = escaped(text)
    return "".join("\\" + c if c.isspace() else c for c in escapes)
