"""The Chinese texts of core: tools, models, permissions, runs, MCP, the sandbox.

Core writes English, which is what models read and logs keep. A client that shows such a text to a
Chinese reader translates it with `in_chinese`; so does a Chinese report. The text itself is the
key, as the English paragraph is for `--help`: a text from a log, a worker or a server is translated
like a new one.

translation.py   a whole text, sentence by sentence, with the values in it
                 (the console has it in TypeScript: web/src/i18n/translation.ts)
*_texts.py       the sentences, English and Chinese; a test compares them with the code
                 (usage_texts.py: those of click, for the command lines)
"""

from dataagent_core.language.chinese.config_texts import CONFIG_TEXTS
from dataagent_core.language.chinese.data.chart_texts import CHART_TEXTS
from dataagent_core.language.chinese.data.database_texts import DATABASE_TEXTS
from dataagent_core.language.chinese.data.file_texts import FILE_TEXTS
from dataagent_core.language.chinese.data.result_texts import RESULT_TEXTS
from dataagent_core.language.chinese.data.source_texts import SOURCE_TEXTS
from dataagent_core.language.chinese.data.sql_texts import SQL_TEXTS
from dataagent_core.language.chinese.engine_texts import ENGINE_TEXTS
from dataagent_core.language.chinese.file_tool_texts import FILE_TOOL_TEXTS
from dataagent_core.language.chinese.history_texts import HISTORY_TEXTS
from dataagent_core.language.chinese.mcp.mcp_connection_texts import MCP_CONNECTION_TEXTS
from dataagent_core.language.chinese.mcp.mcp_sign_in_texts import MCP_SIGN_IN_TEXTS
from dataagent_core.language.chinese.mcp.mcp_texts import MCP_TEXTS
from dataagent_core.language.chinese.media_texts import MEDIA_TEXTS
from dataagent_core.language.chinese.model_texts import MODEL_TEXTS
from dataagent_core.language.chinese.permission_reason_texts import PERMISSION_REASON_TEXTS
from dataagent_core.language.chinese.permission_texts import PERMISSION_TEXTS
from dataagent_core.language.chinese.phrase_texts import PHRASE_TEXTS
from dataagent_core.language.chinese.sandbox_texts import SANDBOX_TEXTS
from dataagent_core.language.chinese.session_texts import SESSION_TEXTS
from dataagent_core.language.chinese.tool_texts import TOOL_TEXTS
from dataagent_core.language.chinese.translation import Translation
from dataagent_core.language.chinese.web_texts import WEB_TEXTS

__all__ = ["Translation", "in_chinese"]

in_chinese = Translation(
    {
        **CHART_TEXTS,
        **CONFIG_TEXTS,
        **DATABASE_TEXTS,
        **ENGINE_TEXTS,
        **FILE_TEXTS,
        **FILE_TOOL_TEXTS,
        **HISTORY_TEXTS,
        **MCP_CONNECTION_TEXTS,
        **MCP_SIGN_IN_TEXTS,
        **MCP_TEXTS,
        **MEDIA_TEXTS,
        **MODEL_TEXTS,
        **PERMISSION_REASON_TEXTS,
        **PERMISSION_TEXTS,
        **RESULT_TEXTS,
        **SANDBOX_TEXTS,
        **SESSION_TEXTS,
        **SOURCE_TEXTS,
        **SQL_TEXTS,
        **TOOL_TEXTS,
        **WEB_TEXTS,
    },
    PHRASE_TEXTS,
)
