"""Where other products keep their MCP servers, per operating system."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

Product = Literal["claude-desktop", "claude-code", "opencode", "vscode"]
PRODUCTS: tuple[Product, ...] = get_args(Product)


def places_of(
    product: Product, *, home: Path, project: Path, platform: str, environ: Mapping[str, str]
) -> list[Path]:
    """List where a product's files may lie; what counts more there comes first.

    `platform` is `sys.platform`.
    """
    settings = _settings(home, platform, environ)
    match product:
        case "claude-desktop":
            return [settings / "Claude" / "claude_desktop_config.json"]
        case "claude-code":
            own = Path(environ.get("CLAUDE_CONFIG_DIR") or home)
            return [project / ".mcp.json", own / ".claude.json"]
        case "opencode":
            # On every system, as opencode does.
            folder = Path(environ.get("XDG_CONFIG_HOME") or home / ".config") / "opencode"
            names = ("opencode.json", "opencode.jsonc")
            return [parent / name for parent in (project, folder) for name in names]
        case "vscode":
            return [project / ".vscode" / "mcp.json", settings / "Code" / "User" / "mcp.json"]


def _settings(home: Path, platform: str, environ: Mapping[str, str]) -> Path:
    """Name the folder in which programs with windows keep their settings."""
    if platform == "darwin":
        return home / "Library" / "Application Support"
    if platform == "win32":
        return Path(environ.get("APPDATA") or home / "AppData" / "Roaming")
    return Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
