"""The engine for Trino, Snowflake, BigQuery and Spark, with their own drivers; not tested live.

We cannot enforce read-only access there, so a source is refused until its owner confirms that its
login can only read.
"""

import importlib.util
from urllib.parse import parse_qsl, urlsplit

from dataagent_core.config.limits.data import DATA_URL_CHARS_MAX, DATA_WORKERS_OF_SOURCE_MAX
from dataagent_core.errors import ConfigurationError, ValidationError
from dataagent_core.sandbox.port import Process
from dataagent_core.tools.data.sources.engines.worker_engine import WorkerEngine
from dataagent_core.tools.data.sources.source_spec import SourceKind, SourceSpec
from dataagent_core.tools.data.sources.workers.server_process import start_with_login
from dataagent_core.tools.data.sources.workers.worker_slots import WorkerSlots

# The package to install, and the options of an address that neither read files nor run code.
_PACKAGES: dict[SourceKind, tuple[str, str]] = {
    "trino": ("trino", "pip install 'trino[sqlalchemy]'"),
    "snowflake": ("snowflake.sqlalchemy", "pip install snowflake-sqlalchemy"),
    "bigquery": ("sqlalchemy_bigquery", "pip install sqlalchemy-bigquery"),
    "spark": ("pyspark", "pip install 'dataagent-core[spark]'"),
}
_OPTIONS: dict[SourceKind, frozenset[str]] = {
    "trino": frozenset({"source"}),
    "snowflake": frozenset({"warehouse", "role"}),
    "bigquery": frozenset({"location"}),
    "spark": frozenset(),
}
_SCHEMES: dict[SourceKind, frozenset[str]] = {
    "trino": frozenset({"trino"}),
    "snowflake": frozenset({"snowflake"}),
    "bigquery": frozenset({"bigquery"}),
    "spark": frozenset({"spark", "sc"}),
}


class WarehouseEngine(WorkerEngine):
    """`DataEngine` for one warehouse whose owner confirmed a read-only login."""

    def __init__(self, spec: SourceSpec, slots: WorkerSlots | None = None) -> None:
        check_warehouse(spec)
        # Spark's own process is large.
        super().__init__(spec, slots, 1 if spec.kind == "spark" else DATA_WORKERS_OF_SOURCE_MAX)

    async def start(self) -> Process:
        """Start the program and send it the address."""
        module = "spark_program" if self.spec.kind == "spark" else "alchemy_program"
        return await start_with_login(module, url=self.spec.location)

    async def warnings(self) -> tuple[str, ...]:
        """Warn that the rights of the login were not checked."""
        text = (
            f"{self.spec.kind} was not run live by the makers of DataAgent, and what the login may "
            "do beyond reading was not looked at: its owner has confirmed that it can only read."
        )
        return (text,)


def check_warehouse(spec: SourceSpec) -> None:
    """Refuse an unsafe address, a missing driver, and an unconfirmed login."""
    if spec.kind not in _PACKAGES:
        raise ValidationError(f"{spec.name!r} is a source of kind {spec.kind}, not a warehouse.")
    parts = urlsplit(spec.location)
    if len(spec.location) > DATA_URL_CHARS_MAX or parts.scheme not in _SCHEMES[spec.kind]:
        raise ValidationError(f"The address of {spec.name!r} must begin with {spec.kind}://.")
    for name, _ in parse_qsl(parts.query, keep_blank_values=True):
        if name not in _OPTIONS[spec.kind]:
            allowed = ", ".join(sorted(_OPTIONS[spec.kind])) or "none"
            raise ValidationError(
                f"The option {name!r} is not allowed in an address of {spec.kind} ({allowed} are)."
            )
    if not spec.read_only_confirmed:
        raise ConfigurationError(
            f"{spec.name!r} is a source of kind {spec.kind}, where it cannot be seen from outside "
            "whether a login can only read. Give it one that can, and confirm that with "
            "read_only_confirmed (--read-only-confirmed)."
        )
    module, install = _PACKAGES[spec.kind]
    if not _is_installed(module):
        raise ConfigurationError(f"The driver for {spec.kind} is not installed: {install}.")


def _is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # the package above it is missing
        return False
