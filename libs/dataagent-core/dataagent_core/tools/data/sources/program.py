"""How a program of `inside/` is started, in a sandbox and outside.

The folder is put last on Python's path as the package `inside`, so that neither the rest of
DataAgent is needed there nor any of its modules stands before a library's.
"""

from pathlib import Path

INSIDE = Path(__file__).resolve().parents[1] / "inside"
# Where a sandbox shows it.
SHOWN_INSIDE = "/opt/dataagent/programs/inside"
# Ends with the thread that started it (prctl 1 is PR_SET_PDEATHSIG), however busy it is.
_BOOT = """\
import runpy, signal, sys
if sys.platform == "linux":
    import ctypes
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
sys.path.append(sys.argv[1])
runpy.run_module(sys.argv[2], run_name="__main__")
"""


def program_words(python: str, inside: str | Path, module: str) -> list[str]:
    """Give the words that run `inside/<module>.py`."""
    return [python, "-s", "-P", "-c", _BOOT, str(Path(inside).parent), f"inside.{module}"]
