"""The size of the files that a step names."""

from pathlib import Path

import pytest

from dataagent_core.engine.loops.steps.step_data import measure_named_files
from dataagent_core.planning.work_plan import PlanStep
from dataagent_core.sandbox.files.safe_root import SafeRoot


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("Read sales.csv and data/more.csv", 12),
        ("read @sales.csv, then /data/more.csv.", 12),
        ("\u8bfb\u53d6 sales.csv\uff0c\u7136\u540e\u6c47\u603b", 10),
        ("read gone.csv, ../secret.txt and https://example.com/a.csv", 0),
        ("sales.csv sales.csv", 10),
        ("no file at all", 0),
    ],
)
def test_the_files_of_the_workspace_that_a_step_names_are_measured(
    tmp_path: Path, text: str, size: int
) -> None:
    (tmp_path / "secret.txt").write_text("x" * 99)
    files = tmp_path / "files"
    (files / "data").mkdir(parents=True)
    (files / "sales.csv").write_text("0123456789")
    (files / "data" / "more.csv").write_text("12")
    root = SafeRoot(files, links="beneath")
    assert measure_named_files(root, PlanStep(step_number=1, description=text)) == size
