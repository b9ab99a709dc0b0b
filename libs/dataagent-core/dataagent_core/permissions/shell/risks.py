"""Which words of a command run or write something else than the program is known for.

A wildcard in an allowing rule does not cover them: the rule must name them. Which options they are
is the table's (`risk_table.py`); the scripts of `sed` and `awk` and the second file of `uniq` are
found by reading the command.
"""

from dataagent_core.permissions.shell.programs.script_places import SCRIPT_PLACES, script_may_run
from dataagent_core.permissions.shell.risk_table import RISKS
from dataagent_core.permissions.shell.risky_options import places_of
from dataagent_core.permissions.shell.subprogram_table import SUBPROGRAM_OPTIONS
from dataagent_core.permissions.shell.word import Word


def risky_places(words: tuple[Word, ...]) -> frozenset[int]:
    """List where the words of a command stand that run or write something else."""
    scripts = SCRIPT_PLACES.get(words[0].text)
    found = places_of(words, RISKS) or frozenset()
    return found if scripts is None else found.union(scripts(words))


def may_start_another(words: tuple[Word, ...]) -> bool:
    """Say whether a command starts a program that is named in an option or a script of its own."""
    return bool(places_of(words, SUBPROGRAM_OPTIONS)) or script_may_run(words)
