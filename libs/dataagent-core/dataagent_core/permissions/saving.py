"""The rule that "always" adds: the command shown, with its sub-command, and no more.

`git status -s` saves `git status *`, `npm run build` saves itself and what follows it; a program
without sub-commands saves exactly the words shown, so that `rm a.txt` never allows `rm b.txt`.
"""

from dataagent_core.permissions.patterns import escaped
from dataagent_core.permissions.rule import Rule
from dataagent_core.permissions.shell.arity import words_that_name
from dataagent_core.permissions.shell.line import SimpleCommand
from dataagent_core.permissions.shell.risks import risky_places


def rule_for_command(command: SimpleCommand, tool: str) -> Rule | None:
    """Give the rule that covers a simple command, if it is known well enough."""
    named = words_that_name(command.words)
    if named and not risky_places(command.words):
        words = [*(_pattern_word(word.text) for word in command.words[:named]), "*"]
    elif all(word.known and word.text for word in command.words):
        words = [_pattern_word(word.text) for word in command.words]
    else:
        return None
    return Rule(tool, " ".join(words), "allow", "session")


def rule_for_write(path: str) -> Rule:
    """Give the rule that covers writing one file."""
    return Rule("write_file", escaped(path), "allow", "session")


def _pattern_word(text: str) -> str:
    escapes = escaped(text)
    return "".join("\\" + c if c.isspace() else c for c in escapes)
