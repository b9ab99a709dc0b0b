"""The audit log: what was changed, by whom, in a chain that reveals a later change."""

from dataagent_server.identity.audit.trail import AuditTrail

__all__ = ["AuditTrail"]
