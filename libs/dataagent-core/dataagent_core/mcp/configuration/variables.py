"""Expands `${VAR}` and `${VAR:-default}` in a server's configuration when it is started.

Expanded values are never stored. The environment is an argument: a person's own in the CLI, and an
empty one on a server, where a configuration may not read the operator's environment.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from dataagent_core.errors import ConfigurationError
from dataagent_core.mcp.config import MCPServerConfig, OAuthSettings
from dataagent_core.mcp.configuration.config_check import check_server

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


def expand_variables(config: MCPServerConfig, environ: Mapping[str, str]) -> MCPServerConfig:
    """Expand the variables; their values are not expanded again."""
    expanded = with_each_text(
        config, lambda field, text: _expand_text(text, field, config.name, environ)
    )
    if expanded != config:
        check_server(expanded, "with its variables filled in")
    return expanded


def variables_of(config: MCPServerConfig) -> list[str]:
    """List the variables a configuration names, for a person to see before a start."""
    names: dict[str, None] = {}

    def look(field: str, text: str) -> str:
        del field
        names.update(dict.fromkeys(found[1] for found in _VARIABLE.finditer(text)))
        return text

    with_each_text(config, look)
    return list(names)


def is_variable(text: str) -> bool:
    """Return whether a text is a single variable, so that it may be shown."""
    found = _VARIABLE.fullmatch(text)
    return found is not None and found[2] is None


def with_each_text(config: MCPServerConfig, change: Callable[[str, str], str]) -> MCPServerConfig:
    """Return the configuration with every text that may hold a variable changed.

    `change` gets the field, such as `env.TOKEN`, and the text.
    """

    def all_of(field: str, texts: list[str]) -> list[str]:
        return [change(field, text) for text in texts]

    def values_of(field: str, table: dict[str, str]) -> dict[str, str]:
        return {name: change(f"{field}.{name}", text) for name, text in table.items()}

    oauth = config.oauth
    return replace(
        config,
        command=change("command", config.command),
        args=all_of("args", config.args),
        env=values_of("env", config.env),
        url=change("url", config.url),
        headers=values_of("headers", config.headers),
        oauth=oauth and _with_each_text(oauth, change),
        read_paths=all_of("read_paths", config.read_paths),
        write_paths=all_of("write_paths", config.write_paths),
    )


def _with_each_text(oauth: OAuthSettings, change: Callable[[str, str], str]) -> OAuthSettings:
    return OAuthSettings(
        authorization_endpoint=change("oauth", oauth.authorization_endpoint),
        token_endpoint=change("oauth", oauth.token_endpoint),
        client_id=change("oauth", oauth.client_id),
        client_secret=change("oauth", oauth.client_secret),
        scopes=tuple(change("oauth", scope) for scope in oauth.scopes),
    )


def _expand_text(text: str, field: str, server: str, environ: Mapping[str, str]) -> str:
    def value(found: re.Match[str]) -> str:
        name, default = found[1], found[2]
        known = environ.get(name)
        if default is not None:
            # As in a shell: an empty variable takes the default too.
            return known or default
        if known is None:
            raise ConfigurationError(
                f"the MCP server {server!r} needs the variable {name} in {field!r}, and it is not "
                f"set. Set it, or write ${{{name}:-default}}."
            )
        return known

    return _VARIABLE.sub(value, text)
