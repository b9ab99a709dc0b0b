"""What `make run` installs, by package: the disk that each takes with its compiled bytecode.

Measured in this environment over the packages that `uv.lock` names for running, so that nothing is
installed for it.
"""

import re
import subprocess
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).parents[1]
SHOWN_MAX = 15
_MB = 1_000_000
_RUN = ("--frozen", "--all-packages", "--no-dev", "--group", "run")
_NAME = re.compile(r"^([A-Za-z0-9_.-]+)==", re.MULTILINE)


def measure() -> dict[str, float]:
    """Give the MB of each package that running needs, the largest first."""
    found = {name: _size_mb(name) for name in packages()}
    return dict(sorted(found.items(), key=lambda one: -one[1]))


def packages() -> list[str]:
    """Name what `make run` installs, our own packages left out."""
    command = ["uv", "export", "--quiet", "--no-hashes", "--no-emit-workspace", *_RUN]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return sorted(set(_NAME.findall(shown)))


def section() -> str:
    """Write the section of RESULTS.md."""
    sizes = measure()
    largest = list(sizes.items())[:SHOWN_MAX]
    rest = sum(sizes.values()) - sum(size for _, size in largest)
    rows = "\n".join(f"| {name} | {size:.0f} |" for name, size in largest)
    return f"""\
## Set-up
What `make install` and `make run` put into `.venv`, with compiled bytecode
(`benchmarks/setup_size.py`, aim: under 900 MB). Sizes of files; pip itself and the disk's blocks
add about a tenth.

| package | MB |
|---|--:|
{rows}
| {len(sizes) - len(largest)} others | {rest:.0f} |
| **all** | **{sum(sizes.values()):.0f}** |
"""


def _size_mb(name: str) -> float:
    try:
        found = distribution(name)
    except PackageNotFoundError:  # a package of another platform
        return 0.0
    return sum(path.stat().st_size for path in _files(found)) / _MB


def _files(found: Distribution) -> set[Path]:
    """List what was installed; `--compile-bytecode` is not in the record."""
    listed = {Path(str(found.locate_file(file))).resolve() for file in found.files or ()}
    compiled = {
        made
        for path in listed
        if path.suffix == ".py"
        for made in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc")
    }
    return {path for path in listed | compiled if path.is_file()}


if __name__ == "__main__":
    print(section())
