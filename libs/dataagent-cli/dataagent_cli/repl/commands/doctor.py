"""/doctor: is everything in place, and what to do where not."""

import asyncio

from dataagent_cli.repl.commands.command import Shell
from dataagent_cli.repl.commands.needs import above_prompt


async def doctor(shell: Shell, argument: str) -> None:
    """Check this machine and the model of the settings."""
    del argument
    from dataagent_cli.doctor.report import findings_of, print_findings

    shell.output.note(shell.app.say("command_doctor_looks"), dim=True)
    # They reach for the network and the sandbox, which takes a while.
    findings = await asyncio.to_thread(findings_of, shell.app)
    print_findings(above_prompt(shell), findings)
