"""`dataagent doctor`: every check, its finding, and what to do."""

from dataclasses import asdict

from dataagent_cli.output import exit_codes
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import sanitize_text
from dataagent_cli.reports.doctor.database import check_database
from dataagent_cli.reports.doctor.finding import Finding
from dataagent_cli.reports.doctor.machine import check_machine
from dataagent_cli.reports.doctor.model import check_model
from dataagent_cli.wiring import App

_ICONS = {"ok": "✓", "note": "·", "problem": "✗"}


def examine(app: App, as_json: bool) -> int:
    """Run the checks, print the findings, and return the exit code."""
    findings = findings_of(app)
    healthy = all(finding.status != "problem" for finding in findings)
    if as_json:
        write_document({"healthy": healthy, "checks": [asdict(finding) for finding in findings]})
    else:
        print_findings(app, findings)
    return exit_codes.DONE if healthy else exit_codes.FAILED


def findings_of(app: App) -> list[Finding]:
    """Run the checks; blocks."""
    return [*check_machine(app), check_database(app), *check_model(app)]


def print_findings(app: App, findings: list[Finding]) -> None:
    """Print what was found."""
    for finding in findings:
        _print(app, finding)


def _print(app: App, finding: Finding) -> None:
    detail = app.say.translate(sanitize_text(finding.detail))
    app.output.line(f"{_ICONS[finding.status]} {finding.check:<9} {detail}")
    if finding.fix:
        app.output.line(f"            {app.say('fix', text=finding.fix)}")
