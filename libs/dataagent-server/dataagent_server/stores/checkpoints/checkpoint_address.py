"""The address of a checkpoint: its run, its (sub)graph, its id."""

from dataclasses import dataclass

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import get_checkpoint_id

from dataagent_core.session.stores.sql.dialect import DialectName, index_key


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointAddress:
    """The address in a LangGraph config; without an id the newest checkpoint."""

    thread_id: str
    namespace: str
    namespace_key: str
    checkpoint_id: str | None

    @property
    def long_namespace(self) -> str | None:
        """The namespace, if the key is only its digest."""
        return None if self.namespace == self.namespace_key else self.namespace


def address_of(config: RunnableConfig, dialect: DialectName) -> CheckpointAddress:
    """Read a config."""
    configurable = config.get("configurable", {})
    namespace = str(configurable.get("checkpoint_ns", ""))
    return CheckpointAddress(
        thread_id=str(configurable.get("thread_id", "")),
        namespace=namespace,
        namespace_key=index_key(namespace, dialect),
        checkpoint_id=get_checkpoint_id(config) or None,
    )


def config_of(thread_id: str, namespace: str, checkpoint_id: str) -> RunnableConfig:
    """Write a config."""
    return {
        "configurable": {
            "thread_id": thread_id,
            "checkpoint_ns": namespace,
            "checkpoint_id": checkpoint_id,
        }
    }
