"""Human in the loop: requests to a person, their decisions, and the handlers that ask."""

from dataagent_core.hitl.absent_person import AbsentPersonHandler
from dataagent_core.hitl.auto_approve import AutoApproveHandler, approve_unless_repeated
from dataagent_core.hitl.decisions import ALLOWED, check_decision, plain
from dataagent_core.hitl.protocol import HITLHandler
from dataagent_core.hitl.questions import (
    QuestionHandler,
    answer_text,
    default_answer,
    timeout_answer,
)
from dataagent_core.hitl.request_binding import (
    bound,
    hash_of_args,
    is_bound_to,
    was_for_another_version,
)
from dataagent_core.hitl.types import (
    ActionRequest,
    Binding,
    Decision,
    DecisionType,
    SavePlace,
    Scope,
)

__all__ = [
    "ALLOWED",
    "AbsentPersonHandler",
    "ActionRequest",
    "AutoApproveHandler",
    "Binding",
    "Decision",
    "DecisionType",
    "HITLHandler",
    "QuestionHandler",
    "SavePlace",
    "Scope",
    "answer_text",
    "approve_unless_repeated",
    "bound",
    "check_decision",
    "default_answer",
    "hash_of_args",
    "is_bound_to",
    "plain",
    "timeout_answer",
    "was_for_another_version",
]
