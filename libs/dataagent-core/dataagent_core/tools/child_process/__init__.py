"""Work on content that may be hostile, in a child process that is bounded and can be killed.

A worker is one file of Python that imports nothing of ours, because that would take seconds to
start. It has two functions: `prepare(job)` opens and imports what it needs, `work(job, data)` gives
a head for JSON and bytes. `child.py` is the program that runs it, `parent.py` starts that.
"""

from dataagent_core.tools.child_process.parent import ChildLimits, run_child

__all__ = ["ChildLimits", "run_child"]
