"""The environment of a server's program: small, and without secrets of ours."""

from collections.abc import Mapping, Sequence

from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.sandbox.bubblewrap.system_binds import list_certificate_binds

HOME = "/server-home"
_BASE_PATH = ("/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin")
# Created with the home, so that they always exist.
FOLDERS = ("tmp", ".cache", ".config", ".local", ".local/share", ".local/state", ".npm")
_PASSED_ON = ("LANG", "LC_ALL", "LC_CTYPE", "TZ")
# Variables of OpenSSL, requests and Node that name a certificate authority of the operator.
_CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")
_PASSED_ON_PLAIN = (
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
    "TMPDIR",
    *_CERTIFICATES,
    *_PASSED_ON,
)


def inside(
    config: MCPServerConfig, environ: Mapping[str, str], path: Sequence[str]
) -> dict[str, str]:
    """Return the environment in the sandbox: its own home, and the configured variables."""
    return {
        "LANG": "C.UTF-8",
        **_select_variables(environ, _PASSED_ON),
        **_select_certificates(environ),
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
        # The host's certificate authorities instead of those of uv.
        "UV_SYSTEM_CERTS": "true",
        **config.env,
    }


def plain(config: MCPServerConfig, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a plain process: the person's own home and path."""
    return {**_select_variables(environ, _PASSED_ON_PLAIN), **config.env}


def _select_certificates(environ: Mapping[str, str]) -> dict[str, str]:
    """Select the certificate files and folders that the sandbox mounts."""
    shown = tuple(f"{bind.dest}/" for bind in list_certificate_binds())
    named = _select_variables(environ, _CERTIFICATES)
    return {name: path for name, path in named.items() if f"{path}/".startswith(shown)}


def _select_variables(environ: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    # A value that bash would read as a function is code.
    return {name: environ[name] for name in names if name in environ and environ[name][:2] != "()"}
