"""What an agent may ask: whose sources, whose results, and which engines it shares with others."""

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
    """Handed to an agent by whoever makes it."""

    sources: SourceStore
    # A store, or the folder of one that is opened when a data tool is called.
    results: ResultStore | Path
    # Shared engines are their maker's to close; without them the agent opens its own.
    pool: EnginePool | None = None
    renderer: Renderer | None = None
    # The semantic model of a project that keeps it elsewhere than in the workspace.
    model: SemanticModel | None = None
    # Where the reports it writes are listed, if somewhere.
    reports: ReportStore | None = None
    # How a person chose to have files of the workspace read.
    file_choices: FileReadOptions | None = None
