"""S1's `create_sandbox`: a machine at modal, daytona or runloop, with what gives it back.

Agents name theirs with `AgentConfig.sandbox_type`; this is for whoever needs the machine itself.
"""

from dataagent_core.sandbox.remote.providers import open_machine as create_sandbox

__all__ = ["create_sandbox"]
