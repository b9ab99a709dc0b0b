"""DevOps, SRE and Orchestrator agents and the operations tools.

Empty: the package reserves the name.
"""
