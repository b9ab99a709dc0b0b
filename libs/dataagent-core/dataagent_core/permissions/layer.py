"""What stands behind the judge of command lines, and what an allowed line stands on.

A line can be judged wrongly. So it matters what the kernel does about it then: where a sandbox can
run the line with every file read-only, a look that was none does no harm; where it cannot (the
host's own shell, a machine of a vendor), only an exact list of commands passes unasked.

    layer       read_only   lines that only look run where nothing can be written
                none        there is no such sandbox

    basis       exact       on the exact list: harmless wherever it runs
                looks       harmless because it only looks: run it read-only
                rule        somebody allowed it: it runs where it may write

Which sandbox runs a line is the engine's to choose, by `PermissionVerdict.basis`.
"""

from typing import Literal

from dataagent_core.config.sandbox_types import LOCAL

Layer = Literal["read_only", "none"]
Basis = Literal["exact", "looks", "rule"]


def layer_behind(sandbox_type: str | None) -> Layer:
    """Say what stands behind the judge in a sandbox of a type; None is the one of this machine."""
    return "read_only" if sandbox_type in {None, LOCAL} else "none"


def basis_of_all(found: set[Basis]) -> Basis:
    """Give what a line stands on whose parts stand on these: that of the most powerful one."""
    if "rule" in found:
        return "rule"
    return "looks" if "looks" in found else "exact"
