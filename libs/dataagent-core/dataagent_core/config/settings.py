"""`Settings`: every setting of core, with its default.

`Settings()` reads the environment of this process, `Settings.load(environment, directory)` another
one. How values are found and checked is in `config/resolve/layered_settings.py`; keys of providers
are in `provider_settings.py`. A value for a setting that has a name but no function yet is refused,
not ignored.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, Field, SecretStr

from dataagent_core.config.context_settings import ContextSettings
from dataagent_core.config.limits import (
    CLARIFICATION_TIMEOUT_S,
    DECISION_TIMEOUT_S,
    DOOM_LOOP_CALLS,
    DOOM_LOOP_WINDOW_S,
    MODEL_RETRIES_MAX,
    QUESTION_TIMEOUT_S_MAX,
    RUN_MODEL_CALLS_MAX,
    SESSION_TIMEOUT_S,
    WORKSPACE_BYTES_MAX,
    WORKSPACE_FILES_MAX,
)
from dataagent_core.config.limits.data import DATA_WORKERS_MAX, RESULTS_BYTES_MAX
from dataagent_core.config.limits.subagents import (
    SUBAGENT_DEPTH,
    SUBAGENT_DEPTH_MAX,
    SUBAGENT_TIMEOUT_S,
)
from dataagent_core.config.memory_settings import MemorySettings
from dataagent_core.config.model_catalog import ModelOverride
from dataagent_core.config.paths import PROJECT_SKILLS, ensure_agent_dir, sqlite_path
from dataagent_core.config.planning_settings import PlanningSettings
from dataagent_core.config.prompts import DEFAULT_AGENT_PROMPT
from dataagent_core.config.resolve.layered_settings import LayeredSettings
from dataagent_core.config.resolve.layers import Variables
from dataagent_core.config.sandbox_types import SandboxType

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

_COST_MAX = 1_000_000.0
_TOKENS_MAX = 10**15


class InteractionSettings(LayeredSettings):
    """When a person is asked, and how long a request waits (S2 §6.4).

    How long an approval waits is a setting of the server (`approval_timeout`); a terminal has no
    limit.
    """

    doom_loop_threshold: int = Field(
        default=DOOM_LOOP_CALLS,
        ge=2,
        le=1_000,
        description="Equal tool calls in a row that count as a loop, which a person is asked about",
    )
    doom_loop_window: float = Field(
        default=DOOM_LOOP_WINDOW_S,
        gt=0,
        allow_inf_nan=False,
        description="Seconds within which equal tool calls count as a loop",
    )
    clarification_timeout: int = Field(
        default=CLARIFICATION_TIMEOUT_S,
        ge=1,
        le=QUESTION_TIMEOUT_S_MAX,
        description="Seconds an optional clarification waits; then its recommended option is taken",
    )
    decision_timeout: int = Field(
        default=DECISION_TIMEOUT_S,
        ge=1,
        le=QUESTION_TIMEOUT_S_MAX,
        description="Seconds an optional decision waits; then its recommended option is taken",
    )


def _cost(what: str) -> float | None:
    return Field(
        default=None,
        ge=0,
        le=_COST_MAX,
        allow_inf_nan=False,
        description=f"US dollars {what}; no limit when unset",
    )


def _tokens(what: str) -> int | None:
    return Field(
        default=None, ge=0, le=_TOKENS_MAX, description=f"Tokens {what}; no limit when unset"
    )


class BudgetSettings(LayeredSettings):
    """What a run, and a person in a day or a month (UTC), may use; unlimited by default.

    A limit of money cannot hold a model whose price is unknown: set one of tokens as well.
    """

    run_cost_max: float | None = _cost("one run may cost")
    run_tokens_max: int | None = _tokens("one run may use")
    day_cost_max: float | None = _cost("one person may use in a day")
    day_tokens_max: int | None = _tokens("one person may use in a day")
    month_cost_max: float | None = _cost("one person may use in a month")
    month_tokens_max: int | None = _tokens("one person may use in a month")


def _refuse_value(value: str | None) -> str | None:
    if value is not None:
        message = "not yet: nothing in this version uses it"
        raise ValueError(message)
    return value


NotYet = Annotated[str | None, AfterValidator(_refuse_value)]


class DelegationSettings(LayeredSettings):
    """How far tasks are delegated to sub-agents (S2 §9), and for how long."""

    subagent_depth: int = Field(
        default=SUBAGENT_DEPTH,
        ge=0,
        le=SUBAGENT_DEPTH_MAX,
        description="How deep sub-agents may delegate: 1 for the agent alone, 0 for nobody",
    )
    subagent_timeout_s: float = Field(
        default=SUBAGENT_TIMEOUT_S,
        gt=0,
        allow_inf_nan=False,
        description="Seconds a sub-agent may work on one task; then it fails and the others go on",
    )


class Settings(
    ContextSettings,
    InteractionSettings,
    BudgetSettings,
    DelegationSettings,
    PlanningSettings,
    MemorySettings,
):
    """The settings of core; the server adds its own in a subclass."""

    home: Path = Field(default=Path("~/.dataagent"), description="Where DataAgent keeps its files")
    model: str | None = Field(default=None, description="Model to use, as provider:name")
    fallback_model: str | None = Field(
        default=None, description="Model to use when the first fails; several with commas between"
    )
    models: Annotated[dict[str, ModelOverride], Variables()] = Field(
        default_factory=dict[str, ModelOverride],
        description="What the catalogue should say of a model: [models.NAME] in config.toml",
    )
    embedding_model: str = Field(
        default="local",
        description="Embeddings that skills and sub-agents are matched with: local (offline), or "
        "openai:NAME",
    )
    embedding_base_url: str | None = Field(
        default=None,
        pattern=r"^https?://[^/\s?#:]",
        description="Address of embeddings that speaks OpenAI's API; OpenAI's own when unset",
    )
    assistant_id: str = Field(default="default", description="Whose memory and skills are used")
    language: Literal["auto", "en", "zh"] = Field(
        default="auto", description="Language of messages"
    )

    database_url: str | None = Field(
        default=None, description="Database; sqlite:///HOME/dataagent.db when unset"
    )
    session_store: Literal["memory", "sqlite", "mysql", "postgres", "redis"] = Field(
        default="sqlite", description="Where a server's sessions are (server.md)"
    )
    redis_url: str | None = Field(default=None, description="Redis, for several servers")
    temporal_host: NotYet = Field(
        default=None, description="Temporal, for durable runs: not yet, so a value is refused"
    )
    public_url: str | None = Field(
        default=None,
        pattern=r"^https?://[^/\s?#:]",
        description="Address people reach the server at",
    )
    api_key: SecretStr | None = Field(default=None, description="Key a client shows to a server")
    searxng_url: str | None = Field(
        default=None,
        pattern=r"^https?://[^/\s?#:]",
        description="SearXNG to search the web with when there is no Tavily key",
    )
    web_allow_hosts: Annotated[tuple[str, ...], Variables()] = Field(
        default=(),
        description="Hosts the web tools may reach although private, as NAME or NAME:PORT",
    )
    # From `config.toml` alone: a project's `.env` must not choose what its operator allows.
    permissions: Annotated[dict[str, Any], Variables()] = Field(
        default_factory=dict[str, Any],
        description="The operator's rules: [[permissions.rules]] in config.toml (permissions.md)",
    )
    secret_key_file: Path | None = Field(
        default=None, description="Key that encrypts credentials; HOME/secret.key when unset"
    )
    workspace_base_path: Path | None = Field(
        default=None, description="Where workspaces live; HOME/workspaces when unset"
    )
    workspace_default_max_size_bytes: int = Field(
        default=WORKSPACE_BYTES_MAX,
        ge=1,
        le=1 << 50,
        description="Bytes a new workspace may hold (S4)",
    )
    workspace_default_max_files: int = Field(
        default=WORKSPACE_FILES_MAX, ge=1, description="Files a new workspace may hold (S4)"
    )

    sandbox_type: SandboxType | None = Field(
        default=None,
        description="Where agents run commands and keep files: local, modal, daytona or runloop; "
        "unset is local, this machine's sandbox (sandbox.md)",
    )

    results_max_bytes: int = Field(
        default=RESULTS_BYTES_MAX,
        ge=1,
        description="Bytes the kept query results of one person here may take",
    )
    data_workers_max: int = Field(
        default=DATA_WORKERS_MAX,
        ge=1,
        description="Processes that read data at once, of all sources together",
    )

    session_timeout: int = Field(
        default=SESSION_TIMEOUT_S,
        ge=1,
        description="Seconds an agent is kept ready for a session that idles",
    )
    model_retries: int = Field(
        default=MODEL_RETRIES_MAX,
        ge=0,
        le=100,
        description="Times a failed model call is tried again",
    )
    run_model_calls_max: int = Field(
        default=RUN_MODEL_CALLS_MAX, ge=1, description="Model calls one run may make"
    )
    timeout: float | None = Field(
        default=None, gt=0, allow_inf_nan=False, description="Seconds a run may take"
    )

    @property
    def database_path(self) -> Path:
        """The SQLite file; raises for another database, which only the server uses."""
        return sqlite_path(self.database_url, self.home / "dataagent.db")

    @property
    def workspaces(self) -> Path:
        """The directory that holds all workspaces."""
        return (self.workspace_base_path or self.home / "workspaces").expanduser().absolute()

    @property
    def secret_key_path(self) -> Path:
        """The file that holds the key for stored credentials."""
        return (self.secret_key_file or self.home / "secret.key").expanduser().absolute()

    @property
    def results(self) -> Path:
        """The directory of kept query results."""
        return self.home / "results"

    @property
    def sample_folder(self) -> Path:
        """The directory of the sample warehouse; nothing else is stored there."""
        return self.home / "sample"

    @property
    def scratch(self) -> Path:
        """The directory that holds the scratch directories of data workers."""
        return self.home / "scratch"

    @property
    def default_agent_prompt(self) -> str:
        """The text of a new agent's `agent.md`."""
        return DEFAULT_AGENT_PROMPT

    def ensure_agent_dir(self, assistant_id: str, home: Path | None = None) -> Path:
        """Return the agent's own directory; create it with its `agent.md` if it is missing.

        `home` is the folder of a user of a server (`config/paths.py`); it is not needed on a
        machine with a single user.
        """
        return ensure_agent_dir(home or self.home, assistant_id, self.default_agent_prompt)

    def get_project_skills_dir(self, project: Path | None = None) -> Path | None:
        """Return the skills directory of a project (default: the working directory), if any."""
        skills = (project or Path.cwd()) / PROJECT_SKILLS
        return skills if skills.is_dir() else None

    def create_model(self, model: str) -> "BaseChatModel":
        """Build the chat model of a `provider:name` (S1); the caller closes it."""
        # Imported here: reading settings must not load LangChain.
        from dataagent_core.models.resolve import resolve_model

        return resolve_model(model, self).model

    def create_default_model(self) -> "BaseChatModel":
        """Build the model that these settings name, or one whose key is set (S1)."""
        from dataagent_core.models.resolve import resolve_model

        return resolve_model(None, self).model
