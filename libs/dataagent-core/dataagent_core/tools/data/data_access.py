"""What an agent may query: its sources, its results, and the engines it shares with others."""

from dataclasses import dataclass
from pathlib import Path

from dataagent_core.tools.data.charts.renderer import Renderer
from dataagent_core.tools.data.reports.report_store import ReportStore
from dataagent_core.tools.data.results.result_store import ResultStore
from dataagent_core.tools.data.semantic import SemanticModel
from dataagent_core.tools.data.sources.engines.engine_pool import EnginePool
from dataagent_core.tools.data.sources.read_options import FileReadOptions
from dataagent_core.tools.data.sources.source_store import SourceStore


@dataclass(frozen=True, slots=True, kw_only=True)
class DataAccess:
    """The sources and results of one agent, and what it shares with other agents."""

    sources: SourceStore
    # A store, or the folder of one that is opened when a data tool is called.
    results: ResultStore | Path
    # What is shared is closed by its owner; without it the agent opens its own.
    pool: EnginePool | None = None
    renderer: Renderer | None = None
    # The semantic model of a project that does not keep it in the workspace.
    model: SemanticModel | None = None
    # Lists the reports it writes.
    reports: ReportStore | None = None
    # The read options a user chose for files of the workspace.
    file_choices: FileReadOptions | None = None
