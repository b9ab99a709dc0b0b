"""How a program of `inside/` is started, in a sandbox and outside.

The folder is put last on Python's path as the package `inside`, so that neither the rest of
DataAgent is needed there nor any of its modules stands before a library's.
"""

from pathlib import Path

INSIDE = Path(__file__).resolve().parents[1] / "inside"
# Where a sandbox shows it.
SHOWN_INSIDE = "/opt/dataagent/programs/inside"
# Arrow imports numpy where it can, which takes longer than all else these import; none uses it.
_WITHOUT_NUMPY = [f"inside.{name}_program" for name in ("duckdb", "mysql", "postgres", "sqlite")]
# Ends with the thread that started it (prctl 1 is PR_SET_PDEATHSIG), however busy it is.
_BOOT = f"""\
import runpy, signal, sys
if sys.platform == "linux":
    import ctypes
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
class WithoutNumpy:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy":
            raise ModuleNotFoundError(name)
if sys.argv[2] in {_WITHOUT_NUMPY!r}:
    sys.meta_path.insert(0, WithoutNumpy())
sys.path.append(sys.argv[1])
runpy.run_module(sys.argv[2], run_name="__main__")
"""


def program_words(python: str, inside: str | Path, module: str) -> list[str]:
    """Give the words that run `inside/<module>.py`."""
    return [python, "-s", "-P", "-c", _BOOT, str(Path(inside).parent), f"inside.{module}"]
