"""Writes the files of a chart into a workspace: its pictures and its spec."""

import json
import re
import unicodedata

from pydantic import JsonValue

from dataagent_core.config.limits.data import CHART_NAME_CHARS_MAX
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.data.charts.chart_model import Chart, ChartFormat
from dataagent_core.tools.output.artifacts import describe_files

CHARTS_FOLDER = "/charts"


def save_chart(
    root: SafeRoot, chart: Chart, formats: tuple[ChartFormat, ...], name: str | None = None
) -> list[dict[str, JsonValue]]:
    """Write the requested pictures and `.vl.json`; describe them as artifacts. It blocks."""
    stem = f"{CHARTS_FOLDER}/{make_file_stem(name or chart.title)}-{chart.kept.result_id[-6:]}"
    files = {f"{stem}.{kind}": chart.pictures[kind] for kind in formats}
    spec = json.dumps(chart.spec, ensure_ascii=False)
    files[f"{stem}.vl.json"] = spec.encode("utf-8", "replace")
    for path, data in files.items():
        root.write_atomic(path, data)
    return describe_files(root, files)


def make_file_stem(title: str) -> str:
    """Make a file name of a title: letters and digits of any script, the rest as dashes."""
    plain = unicodedata.normalize("NFC", title).lower()
    words = re.sub(r"[^\w]+", "-", plain).strip("-_")
    return words[:CHART_NAME_CHARS_MAX].strip("-_") or "chart"
