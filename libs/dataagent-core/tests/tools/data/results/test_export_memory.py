"""An export of all rows takes no more memory for many rows than for few."""

import subprocess
import sys
from pathlib import Path

import export_memory
import pytest

_ROW_BYTES = 300


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process is read in /proc")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "few", "many"),
    [
        ("csv", 200_000, 800_000),
        ("parquet", 200_000, 800_000),
        ("xlsx", 100_000, 300_000),
    ],
)
def test_an_export_of_all_rows_holds_a_part_of_them_at_a_time(
    tmp_path: Path, form: str, few: int, many: int
) -> None:
    done = subprocess.run(
        [sys.executable, export_memory.__file__, tmp_path, form, str(few), str(many)],
        capture_output=True,
        check=True,
        text=True,
    )
    assert 0 <= int(done.stdout) < (many - few) * _ROW_BYTES
