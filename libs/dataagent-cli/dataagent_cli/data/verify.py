"""`data test`: the project's verified questions, run again."""

from dataagent_cli.data.access import open_query_service, project_model
from dataagent_cli.output import exit_codes
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.wiring import App

_GOOD = frozenset({"same", "ran"})


async def run_verified(app: App, as_json: bool) -> int:
    """Run all verified questions and print which differ."""
    from dataagent_core.tools.data.semantic.verified_questions import run_questions

    questions = (await project_model()).questions
    if not questions and not as_json:
        app.output.note(app.say("no_questions"))
    verdicts = []
    async with open_query_service(app) as queries:
        async for verdict in run_questions(queries, questions):
            verdicts.append(verdict)
            if as_json:
                continue
            good = verdict.state in _GOOD
            head = f"{'✓' if good else '✗'} {app.say(f'question.{verdict.state}')}"
            app.output.line(f"{head}  {one_line(verdict.question.question)}", bold=not good)
            for line in verdict.differences:
                app.output.line(f"    {app.say.translate(one_line(line))}")
    if as_json:
        write_document(
            [
                {
                    "question": verdict.question.question,
                    "owner": verdict.question.owner,
                    "state": verdict.state,
                    "differences": list(verdict.differences),
                }
                for verdict in verdicts
            ]
        )
    failed = any(verdict.state not in _GOOD for verdict in verdicts)
    return exit_codes.FAILED if failed else exit_codes.DONE
