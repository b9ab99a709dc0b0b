"""The base of every settings class: pydantic settings that know where each value came from.

pydantic-settings checks the values; finding them is ours (`layers.py`, `precedence.py`), because a
person asking "why is it this value?" must get the very place, and a wrong value must be named
together with it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

from pydantic import PrivateAttr, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from dataagent_core.config.files.project_env import ProjectEnv, project_env
from dataagent_core.config.resolve.layers import PREFIX, Layers, read_layers
from dataagent_core.config.resolve.precedence import resolve_settings
from dataagent_core.config.resolve.setting_messages import explain
from dataagent_core.errors import ConfigurationError


class LayeredSettings(BaseSettings):
    """Settings read from arguments, the environment, `.env`, `config.toml`, then defaults."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, frozen=True, extra="forbid", hide_input_in_errors=True
    )

    # The table of `config.toml` for the settings that a class adds; empty for the top.
    table: ClassVar[str | None] = None

    # Whether the `.env` is untrusted; a server's belongs to its operator.
    env_is_projects: ClassVar[bool] = True

    _project_env: ProjectEnv = PrivateAttr()
    _withheld: bool = PrivateAttr(default=False)
    _sources: dict[str, str] = PrivateAttr(default_factory=dict[str, str])

    def __init__(self, *, _layers: Layers | None = None, **values: Any) -> None:
        home = values.get("home")
        layers = _layers or read_layers(home=Path(home) if home is not None else None)
        fields = type(self).model_fields
        env = project_env(fields, layers.dotenv, layers.home, layers.directory)
        withheld = env.withheld if type(self).env_is_projects else frozenset[str]()
        found = resolve_settings(fields, layers, type(self).tables(), withheld)
        sources = {name: one.source for name, one in found.items()} | dict.fromkeys(
            values, "the caller"
        )
        try:
            super().__init__(**({name: one.value for name, one in found.items()} | values))
        except ValidationError as error:
            raise ConfigurationError(explain(error, fields, sources)) from None
        self._sources = sources
        self._project_env, self._withheld = env, bool(withheld)

    @classmethod
    def tables(cls) -> dict[str, str]:
        """Return the table of each setting that is not at the top of `config.toml`."""
        tables: dict[str, str] = {}
        for owner in reversed(cls.__mro__):
            if issubclass(owner, LayeredSettings) and owner.table is not None:
                own = [name for name in owner.__annotations__ if name in cls.model_fields]
                new = [name for name in own if not _declared_above(owner, name)]
                tables |= dict.fromkeys(new, owner.table)
        return tables

    @classmethod
    def load(
        cls, environment: Mapping[str, str] | None = None, directory: Path | None = None
    ) -> Self:
        """Read settings from this environment and directory instead of the process's own."""
        return cls(_layers=read_layers(environment, directory))

    def source_of(self, name: str) -> str:
        """Return where a setting's value came from."""
        return self._sources.get(name, "default")

    @property
    def project_env(self) -> ProjectEnv:
        """The variables of the project's `.env` that need an approval."""
        return self._project_env

    @property
    def withheld_env(self) -> ProjectEnv | None:
        """The same, if they were not used."""
        return self._project_env if self._withheld else None

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Use only the values that `__init__` collected, so that nothing is read twice."""
        del settings_cls, env_settings, dotenv_settings, file_secret_settings
        return (init_settings,)


def _declared_above(owner: type[LayeredSettings], name: str) -> bool:
    return any(name in getattr(base, "model_fields", {}) for base in owner.__bases__)
