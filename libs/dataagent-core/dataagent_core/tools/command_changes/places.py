"""Which directories of a workspace are passed over when a command's changes are looked for.

`.git` and `.dataagent` change with every use and are guarded by the sandbox; `node_modules`,
`__pycache__` and virtual environments hold thousands of files nobody reads, and are known by what
they are, not by what an ignore file says. When one appears or goes, that is one change.
"""

from dataagent_core.sandbox.protected import PROTECTED_DIRECTORIES
from dataagent_core.sandbox.safe_open import SafeRoot
from dataagent_core.sandbox.safe_survey import Skipped
from dataagent_core.tools.files.search.ignore import DEFAULT_EXCLUDES

# Written by `python -m venv` and every tool like it.
_VIRTUAL_ENVIRONMENT = "pyvenv.cfg"


def passed_over(root: SafeRoot) -> Skipped:
    """Name what is not looked into beneath a root: also our own home, if it lies there."""
    return Skipped(
        names=frozenset({*DEFAULT_EXCLUDES, *PROTECTED_DIRECTORIES}),
        holding=frozenset({_VIRTUAL_ENVIRONMENT}),
        identities=root.closed,
    )
