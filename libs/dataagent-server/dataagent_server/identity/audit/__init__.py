"""What was changed, by whom, in a chain that shows when somebody rewrites it."""

from dataagent_server.identity.audit.trail import AuditTrail

__all__ = ["AuditTrail"]
