"""The application of a process: `uvicorn dataagent_server.main:app` (S0), or `dataagent serve`.

Importing it reads the settings of this process and configures its log.
"""

from dataagent_server.app import create_app
from dataagent_server.cli.serve.garbage_collection import tune_garbage_collection
from dataagent_server.common.logs import configure_logs
from dataagent_server.runs.agents.shared_models import load_code
from dataagent_server.settings import ServerSettings

_settings = ServerSettings()
configure_logs(_settings.log_level, _settings.log_format)
app = create_app(_settings)
load_code(_settings)
tune_garbage_collection()
