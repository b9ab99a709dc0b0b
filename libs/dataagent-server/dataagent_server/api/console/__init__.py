"""The web console, as `web/` builds it into `static/`: its files and its page."""

from dataagent_server.api.console.route import STATIC, add_console, is_built

__all__ = ["STATIC", "add_console", "is_built"]
