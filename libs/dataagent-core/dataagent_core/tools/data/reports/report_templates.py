"""Report templates: the shipped ones, and a project's own in `.dataagent/reports`."""

from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from dataagent_core.config.limits.data import REPORT_DEFINITION_BYTES_MAX, REPORT_TEMPLATES_MAX
from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.tools.data.reports.report_blocks import Line, PlainBlock
from dataagent_core.tools.data.reports.report_definition import Language
from dataagent_core.tools.data.reports.yaml_model import read_model
from dataagent_core.tools.definition.name_suggestions import suggest_names

_SHIPPED_FOLDER = Path(__file__).with_name("templates")


class ReportTemplate(BaseModel):
    """The frame around a report's blocks."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    description: Line = ""
    language: Language | None = None
    page: Literal["a4", "us-letter"] = "a4"
    accent: Annotated[str, Field(pattern=r"^#[0-9A-Fa-f]{6}$")] = "#0072B2"
    # The title on a page of its own; a list of contents; the SQL of every query at the end.
    cover: bool = False
    contents: bool = False
    appendix: bool = True
    footer: Line = ""
    before: tuple[PlainBlock, ...] = ()
    after: tuple[PlainBlock, ...] = ()


def load_templates(folder: Path | None = None) -> dict[str, ReportTemplate]:
    """Read all templates by name; a project's own overrides a shipped one. It blocks."""
    return {
        **_load_shipped(),
        **(_read_folder(folder) if folder is not None and folder.is_dir() else {}),
    }


def find_template(name: str, templates: dict[str, ReportTemplate]) -> ReportTemplate:
    """Return a template by its name."""
    if name in templates:
        return templates[name]
    raise NotFoundError(
        f"There is no report template {name!r:.60}. {suggest_names(name, templates)} "
        f"There are: {', '.join(sorted(templates))}."
    )


@cache
def _load_shipped() -> dict[str, ReportTemplate]:
    return _read_folder(_SHIPPED_FOLDER)


def _read_folder(folder: Path) -> dict[str, ReportTemplate]:
    files = sorted(folder.glob("*.yml"))
    if len(files) > REPORT_TEMPLATES_MAX:
        raise ValidationError(
            f"{folder.name} holds {len(files)} templates, {REPORT_TEMPLATES_MAX} are possible."
        )
    templates: dict[str, ReportTemplate] = {}
    for file in files:
        with file.open(encoding="utf-8", errors="replace") as opened:
            text = opened.read(REPORT_DEFINITION_BYTES_MAX + 1)
        templates[file.stem] = read_model(ReportTemplate, text, f"The template {file.name}")
    return templates
