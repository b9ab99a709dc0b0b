"""DevOps, SRE and Orchestrator agents and the operations tools.

Nothing lives here yet; the house keeps the room so that its place is settled.
"""
