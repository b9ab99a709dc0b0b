"""`dataagent run`: ask the agent to do something, or finish an unfinished run."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dataagent_cli.help.completion_values import model_names, session_ids
from dataagent_cli.output.error_report import errors_as_json

if TYPE_CHECKING:
    from dataagent_core.events.system import Mode


@click.command()
@click.argument("prompt", required=False)
@click.option("--model", metavar="M", shell_complete=model_names, help="Model, as provider:name.")
@click.option("--json", "as_json", is_flag=True, help="One event per line on stdout, as JSON.")
@click.option(
    "--schema",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The answer as JSON valid against this JSON Schema.",
)
@click.option(
    "--session",
    metavar="S",
    shell_complete=session_ids,
    help="Continue this session, or name the new one.",
)
@click.option(
    "--resume",
    metavar="S",
    shell_complete=session_ids,
    help="Finish the interrupted run of this session.",
)
@click.option(
    "--workspace",
    type=click.Path(path_type=Path),
    help="Directory to work in; by default the current one.",
)
@click.option(
    "--mode",
    type=click.Choice(["ask", "plan", "auto"]),
    help="Ask first, only plan (nothing is changed), or work by itself within the rules.",
)
@click.option(
    "--loop",
    type=click.Choice(["react", "staged"]),
    help="How the agent works on this message: step by step, or in stages with a review.",
)
@click.option(
    "--plan",
    type=click.Choice(["auto", "always", "never"]),
    help="Whether it makes a plan for this message; auto: for a complex one.",
)
@click.option(
    "--server",
    metavar="[URL]",
    is_flag=False,
    flag_value="",
    help="Let a server do the work; without an address, that of the last login.",
)
@click.option("--insecure", is_flag=True, help="With --server: allow one without https.")
@click.option("--yes", is_flag=True, help="Approve everything the agent asks.")
@click.option("--approve", metavar="TOOL", multiple=True, help="Approve this tool; repeatable.")
@click.option("--timeout", type=float, metavar="S", help="Seconds the run may take.")
@click.option(
    "--sandbox",
    "sandbox_type",
    type=click.Choice(["local", "modal", "daytona", "runloop"]),
    help="Where commands run and files are: this machine's sandbox, or a vendor's machine.",
)
@click.option("--sandbox-id", metavar="ID", help="Work on this machine of the vendor.")
@click.option(
    "--unsafe-host-shell",
    is_flag=True,
    help="Run commands on this machine without a sandbox, with all your rights.",
)
def run(  # noqa: PLR0917 (click passes them by name)
    prompt: str | None,
    model: str | None,
    as_json: bool,
    schema: Path | None,
    session: str | None,
    resume: str | None,
    workspace: Path | None,
    mode: "Mode | None",
    loop: str | None,
    plan: str | None,
    server: str | None,
    insecure: bool,
    yes: bool,
    approve: tuple[str, ...],
    timeout: float | None,
    sandbox_type: str | None,
    sandbox_id: str | None,
    unsafe_host_shell: bool,
) -> int:
    """Ask the agent; PROMPT `-` reads standard input, other input goes below the prompt.

    The answer goes to stdout, everything about it to stderr. Exit codes: 0 done, 1 failed,
    2 wrong use, 3 rejected or approval needed with no terminal, 4 time-out, 130 cancelled.
    """
    with errors_as_json(as_json):
        import asyncio
        from dataclasses import replace

        from dataagent_cli import wiring
        from dataagent_cli.approval.rule import ApprovalRule
        from dataagent_cli.run.option_checks import check_combination, check_for_server
        from dataagent_cli.run.prompt import read_prompt
        from dataagent_cli.run.run_request import RunRequest, check_timeout, resolve_workspace
        from dataagent_cli.run.schema import read_schema

        app = wiring.start()
        planning = {name: one for name, one in (("loop", loop), ("mode", plan)) if one is not None}
        check_combination(
            prompt,
            resume,
            session,
            app.say,
            schema=schema is not None,
            planning=bool(planning),
        )
        answer_schema = read_schema(schema, app.say)
        read = None if prompt is None else read_prompt(prompt, app.say, app.output)
        request = RunRequest(
            prompt=read.text if read else None,
            is_typed=read is not None and read.is_typed,
            piped=read.piped if read else None,
            answer_schema=answer_schema,
            session_id=resume or session or wiring.new_session_id(),
            session_is_new=not (resume or session),
            model=model,
            workspace=resolve_workspace(workspace, app.say) if workspace else None,
            mode=mode,
            planning=planning,
            approvals=ApprovalRule(everything=yes, tools=frozenset(approve)),
            timeout_s=check_timeout(timeout, app.say),
            as_json=as_json,
            sandbox_type=sandbox_type,
            sandbox_id=sandbox_id,
            unsafe_host_shell=unsafe_host_shell,
        )
        if server is not None:
            from dataagent_cli.remote.server_option import choose_server

            check_for_server(request, app.say)
            request = replace(request, server=choose_server(app, server, insecure=insecure))
        from dataagent_cli.run.one_turn import run_one_turn

        return asyncio.run(run_one_turn(app, request))
