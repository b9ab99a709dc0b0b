"""`dataagent run`: ask the agent to do something, or finish what it began."""

from pathlib import Path

import click

from dataagent_cli.failures import told_as_json


@click.command()
@click.argument("prompt", required=False)
@click.option("--model", metavar="M", help="Model, as provider:name.")
@click.option("--json", "as_json", is_flag=True, help="One event per line on stdout, as JSON.")
@click.option("--session", metavar="S", help="Continue this session, or name the new one.")
@click.option("--resume", metavar="S", help="Finish the interrupted run of this session.")
@click.option(
    "--workspace",
    type=click.Path(path_type=Path),
    help="Directory to work in; by default the current one.",
)
@click.option("--yes", is_flag=True, help="Approve everything the agent asks.")
@click.option("--approve", metavar="TOOL", multiple=True, help="Approve this tool; repeatable.")
@click.option("--timeout", type=float, metavar="S", help="Seconds the run may take.")
@click.option(
    "--unsafe-host-shell",
    is_flag=True,
    help="Run commands on this machine without a sandbox, with all your rights.",
)
def run(  # noqa: PLR0917 (click passes them by name)
    prompt: str | None,
    model: str | None,
    as_json: bool,
    session: str | None,
    resume: str | None,
    workspace: Path | None,
    yes: bool,
    approve: tuple[str, ...],
    timeout: float | None,
    unsafe_host_shell: bool,
) -> int:
    """Ask the agent; PROMPT `-` reads standard input.

    The answer goes to stdout, everything about it to stderr. Exit codes: 0 done, 1 failed,
    2 wrong use, 3 rejected or approval needed with no terminal, 4 time-out, 130 cancelled.
    """
    with told_as_json(as_json):
        import asyncio

        from dataagent_cli import wiring
        from dataagent_cli.approval.rule import ApprovalRule
        from dataagent_cli.run.conduct import conduct
        from dataagent_cli.run.order import RunOrder, checked_timeout, checked_workspace
        from dataagent_cli.run.prompt import read_prompt
        from dataagent_cli.run.usage import check_combination

        app = wiring.start()
        check_combination(prompt, resume, session, app.say)
        order = RunOrder(
            prompt=None if prompt is None else read_prompt(prompt, app.say),
            session_id=resume or session or wiring.new_session_id(),
            session_is_new=not (resume or session),
            model=model,
            workspace=checked_workspace(workspace, app.say) if workspace else None,
            approvals=ApprovalRule(everything=yes, tools=frozenset(approve)),
            timeout_s=checked_timeout(timeout, app.say),
            as_json=as_json,
            unsafe_host_shell=unsafe_host_shell,
        )
        return asyncio.run(conduct(app, order))
