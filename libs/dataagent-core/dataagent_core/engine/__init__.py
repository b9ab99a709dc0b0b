"""The engine: builds agents and runs them. Start reading at `executor.py`, then `stack.py`."""

from dataagent_core.engine.config import AgentConfig
from dataagent_core.engine.executor import AgentExecutor
from dataagent_core.engine.factory import AgentFactory

__all__ = ["AgentConfig", "AgentExecutor", "AgentFactory"]
