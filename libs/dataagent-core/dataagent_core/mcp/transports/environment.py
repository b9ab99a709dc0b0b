"""What a server's program is told by its environment: little, and no secret of ours."""

from collections.abc import Mapping, Sequence

from dataagent_core.mcp.config import MCPServerConfig

HOME = "/server-home"
_BASE_PATH = ("/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin")
# Made with the home, so that no program need ask whether they are there.
FOLDERS = ("tmp", ".cache", ".config", ".local", ".local/share", ".local/state", ".npm")
_PASSED_ON = ("LANG", "LC_ALL", "LC_CTYPE", "TZ")
_PASSED_ON_PLAIN = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TMPDIR", *_PASSED_ON)


def inside(
    config: MCPServerConfig, environ: Mapping[str, str], path: Sequence[str]
) -> dict[str, str]:
    """Give the environment in the sandbox: a home of its own, and what the configuration says."""
    return {
        "LANG": "C.UTF-8",
        **_picked(environ, _PASSED_ON),
        "PATH": ":".join(dict.fromkeys((*path, *_BASE_PATH))),
        "USER": "agent",
        "LOGNAME": "agent",
        "HOME": HOME,
        "TMPDIR": f"{HOME}/tmp",  # noqa: S108 - in the home of its own
        "XDG_CACHE_HOME": f"{HOME}/.cache",
        "XDG_CONFIG_HOME": f"{HOME}/.config",
        "XDG_DATA_HOME": f"{HOME}/.local/share",
        "XDG_STATE_HOME": f"{HOME}/.local/state",
        "npm_config_cache": f"{HOME}/.npm",
        "npm_config_update_notifier": "false",
        "UV_CACHE_DIR": f"{HOME}/.cache/uv",
        **config.env,
    }


def plain(config: MCPServerConfig, environ: Mapping[str, str]) -> dict[str, str]:
    """Give the environment of a plain process: the person's own home and path."""
    return {**_picked(environ, _PASSED_ON_PLAIN), **config.env}


def _picked(environ: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    # A value that bash would read as a function is code.
    return {name: environ[name] for name in names if name in environ and environ[name][:2] != "()"}
