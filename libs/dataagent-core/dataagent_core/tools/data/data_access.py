"""The data an agent may use: its sources, its results, and the engines it shares with others."""

from dataclasses import dataclass

from dataagent_core.tools.data.charts.renderer import Renderer
from dataagent_core.tools.data.reports.report_store import ReportStore
from dataagent_core.tools.data.results.result_store import ResultStore
from dataagent_core.tools.data.semantic import SemanticModel
from dataagent_core.tools.data.sources.engines.engine_pool import EnginePool
from dataagent_core.tools.data.sources.read_options import FileReadOptions
from dataagent_core.tools.data.sources.source_store import SourceStore


@dataclass(frozen=True, slots=True, kw_only=True)
class DataAccess:
    """The stores and services of an agent's data tools."""

    book: SourceStore
    results: ResultStore
    # The owner of a shared pool closes it; without one the agent opens its own engines.
    pool: EnginePool | None = None
    renderer: Renderer | None = None
    # The semantic model of a project that does not keep it in the workspace.
    model: SemanticModel | None = None
    # Lists the reports the agent writes.
    reports: ReportStore | None = None
    # The read options a user chose for files of the workspace.
    file_choices: FileReadOptions | None = None
