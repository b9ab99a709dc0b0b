"""Events, which every client reads. Everything a client shows can be rebuilt from them."""

from dataagent_core.events.agents import PatternEvent, SkillEvent, SubAgentEvent
from dataagent_core.events.base import ExecutionEvent
from dataagent_core.events.codec import (
    EVENT_CLASSES,
    EVENT_TYPES,
    Event,
    from_dict,
    from_json,
    json_schema,
    to_json,
)
from dataagent_core.events.feedback import FeedbackEvent
from dataagent_core.events.file import FileOperationEvent
from dataagent_core.events.hitl import HITLAnswerEvent, HITLRequestEvent
from dataagent_core.events.memory import MemoryChangedEvent, MemoryRecalledEvent
from dataagent_core.events.plan import (
    StepEndEvent,
    StepFinishEvent,
    StepStartEvent,
    TodoUpdateEvent,
    WorkPlanEvent,
)
from dataagent_core.events.sse import SSEEvent, render_sse
from dataagent_core.events.system import (
    DoneEvent,
    ErrorEvent,
    ModeChangedEvent,
    RetryEvent,
    RunResumedEvent,
    RunStartedEvent,
    WarningEvent,
)
from dataagent_core.events.text import TextEvent, ThoughtEvent
from dataagent_core.events.tool import ToolCallEvent, ToolProgressEvent, ToolResultEvent
from dataagent_core.events.usage import ContextCompressedEvent, CostUpdateEvent

__all__ = [
    "EVENT_CLASSES",
    "EVENT_TYPES",
    "ContextCompressedEvent",
    "CostUpdateEvent",
    "DoneEvent",
    "ErrorEvent",
    "Event",
    "ExecutionEvent",
    "FeedbackEvent",
    "FileOperationEvent",
    "HITLAnswerEvent",
    "HITLRequestEvent",
    "MemoryChangedEvent",
    "MemoryRecalledEvent",
    "ModeChangedEvent",
    "PatternEvent",
    "RetryEvent",
    "RunResumedEvent",
    "RunStartedEvent",
    "SSEEvent",
    "SkillEvent",
    "StepEndEvent",
    "StepFinishEvent",
    "StepStartEvent",
    "SubAgentEvent",
    "TextEvent",
    "ThoughtEvent",
    "TodoUpdateEvent",
    "ToolCallEvent",
    "ToolProgressEvent",
    "ToolResultEvent",
    "WarningEvent",
    "WorkPlanEvent",
    "from_dict",
    "from_json",
    "json_schema",
    "render_sse",
    "to_json",
]
