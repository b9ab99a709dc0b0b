"""Looks that may stand beside commands which act.

A line that only looks runs where nothing it writes stays (`tools/shell_look.py`). One that also
holds what a rule allows must be able to write, so nothing but the judge is behind its looks: only
programs that can write nothing, with words that are what they seem, pass without a question.
"""

from collections.abc import Sequence

from dataagent_core.permissions.shell.line import SimpleCommand
from dataagent_core.permissions.shell.name_list import names
from dataagent_core.permissions.verdict import PartVerdict

CERTAIN = names(
    "ls cat head tail wc pwd echo true false : basename dirname realpath readlink stat cut tr nl "
    "tac rev comm paste fold expand unexpand seq du df uname whoami id groups nproc which "
    "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum od cmp grep egrep fgrep "
    "sleep cd pushd popd dirs exit"
)
_REASON = "asked: it looks and acts in one line, and the look might do more"
NOT_HELD = "asked: it seems to look only, and nothing here holds it to that"


def with_certain_looks(parts: list[PartVerdict]) -> list[PartVerdict]:
    """Ask about the looks of a line that acts too, unless they are certain."""
    if not any(part.acts and part.action == "allow" for part in parts):
        return parts
    return [part if _is_certain(part) else _asked(part) for part in parts]


def are_certain(parts: Sequence[PartVerdict]) -> bool:
    """Say whether every look of a line can write nothing, where no sandbox would stop it."""
    return all(_is_certain(part) for part in parts)


def _is_certain(part: PartVerdict) -> bool:
    if part.action != "allow" or part.acts or not isinstance(part.subject, SimpleCommand):
        return True
    command = part.subject
    plain = all(word.known and "[" not in word.text for word in command.words)
    return plain and command.name in CERTAIN


def _asked(part: PartVerdict) -> PartVerdict:
    return part._replace(action="ask", reason=_REASON, doubtful=True)
