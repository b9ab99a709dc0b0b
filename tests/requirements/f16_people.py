"""What issue 16 promises of isolation, MCP programs, and what a run asks people."""

from tests.requirements.entry import Requirement

_ITEMS: dict[str, str] = {
    "B5-sandbox-type": "The command line, the server's settings and assistants choose `sandbox_type`.",
    "B5-sandbox-policy": "An assistant chooses only among the sandboxes the operator allows.",
    "B5-mcp-personal": "On a one-person server the owner starts MCP programs after one yes.",
    "B6-approval-timeout": "A run ends with APPROVAL_TIMEOUT when nobody answered in time.",
    "B6-recoverable": "The codes of S3 are recoverable as its table says.",
    "B6-step-number": "`ask_decision` says in which step of its run it was asked.",
    "B6-settings": "Loop limits and the time-outs of questions are settings, of library and server.",
    "B6-skill-names": "Skill events render under S2's names.",
}

F16_PEOPLE: tuple[Requirement, ...] = tuple(
    Requirement(f"F16-{number}", text) for number, text in _ITEMS.items()
)
