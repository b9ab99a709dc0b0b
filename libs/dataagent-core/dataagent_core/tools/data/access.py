"""What an agent may ask: whose sources, whose results, and which engines it shares with others."""

from dataclasses import dataclass

from dataagent_core.tools.data.charts.renderer import Renderer
from dataagent_core.tools.data.reports.shelf import ReportShelf
from dataagent_core.tools.data.results.store import Results
from dataagent_core.tools.data.semantic import SemanticModel
from dataagent_core.tools.data.sources.book import SourceBook
from dataagent_core.tools.data.sources.pool import EnginePool
from dataagent_core.tools.data.sources.reading_choice import FileChoices


@dataclass(frozen=True, slots=True, kw_only=True)
class DataAccess:
    """Handed to an agent by whoever makes it."""

    book: SourceBook
    results: Results
    # Shared engines are their maker's to close; without them the agent opens its own.
    pool: EnginePool | None = None
    renderer: Renderer | None = None
    # The semantic model of a project that keeps it elsewhere than in the workspace.
    model: SemanticModel | None = None
    # Where the reports it writes are listed, if somewhere.
    reports: ReportShelf | None = None
    # How a person chose to have files of the workspace read.
    file_choices: FileChoices | None = None
