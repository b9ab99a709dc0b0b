"""Permissions: what may run, what is asked, and the gate where it waits."""

from dataagent_core.permissions.gate import approval_for
from dataagent_core.permissions.policy import ASK_BY_DEFAULT, AskPolicy, Verdict, decide
from dataagent_core.permissions.scope import RunScope

__all__ = ["ASK_BY_DEFAULT", "AskPolicy", "RunScope", "Verdict", "approval_for", "decide"]
