"""Every sentence the terminal says, by its name: English, Chinese. One module per topic."""

from dataagent_cli.messages.approval import APPROVAL_TEXTS
from dataagent_cli.messages.data import DATA_TEXTS
from dataagent_cli.messages.general import GENERAL_TEXTS
from dataagent_cli.messages.help import HELP_TEXTS
from dataagent_cli.messages.learned.memory import MEMORY_TEXTS
from dataagent_cli.messages.learned.patterns import PATTERN_TEXTS
from dataagent_cli.messages.mcp import MCP_TEXTS
from dataagent_cli.messages.permissions import PERMISSION_TEXTS
from dataagent_cli.messages.remote import REMOTE_TEXTS
from dataagent_cli.messages.repl import REPL_TEXTS
from dataagent_cli.messages.reports import REPORT_TEXTS
from dataagent_cli.messages.run import RUN_TEXTS
from dataagent_cli.messages.sessions import SESSION_TEXTS
from dataagent_cli.messages.setup import SETUP_TEXTS
from dataagent_cli.messages.skills import SKILL_TEXTS
from dataagent_cli.messages.slash_commands import COMMAND_TEXTS
from dataagent_cli.messages.transcript import TRANSCRIPT_TEXTS

TEXTS: dict[str, tuple[str, str]] = {
    **GENERAL_TEXTS,
    **RUN_TEXTS,
    **APPROVAL_TEXTS,
    **SESSION_TEXTS,
    **MEMORY_TEXTS,
    **PATTERN_TEXTS,
    **PERMISSION_TEXTS,
    **REPORT_TEXTS,
    **COMMAND_TEXTS,
    **DATA_TEXTS,
    **HELP_TEXTS,
    **MCP_TEXTS,
    **SETUP_TEXTS,
    **SKILL_TEXTS,
    **TRANSCRIPT_TEXTS,
    **REMOTE_TEXTS,
    **REPL_TEXTS,
}
