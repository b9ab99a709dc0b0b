"""Time to decide about 1 KB of shell, beside parsing it with the grammar alone.

Twice: one command with a kilobyte of arguments, and the hardest kilobyte an agent writes, some
forty commands in pipelines, loops and wrappers. The rules are fifty of a person's own. Medians of
single decisions, in microseconds.
"""

import json
import statistics
import time
from collections.abc import Callable

DECISIONS = 300

_PIECES = (
    "cd src && git status --short | grep -v '^??' | sort -k 2 > /dev/null",
    'for f in *.py; do echo "checking $f"; wc -l "$f"; done',
    "find . -name '*.log' -mtime +3 -exec ls -la {} \\; 2>/dev/null",
    "out=build; timeout 60 npm run build -- --mode production 2>&1 | tee /tmp/build.log",
    "if [ -f package.json ]; then cat package.json | head -n 20; else echo missing; fi",
    "grep -rn \"TODO\" --include='*.ts' . | awk '{print $1}' | uniq -c | head",
)


def command_line(chars: int = 1024) -> str:
    """Join pieces up to a number of characters."""
    lines: list[str] = []
    while sum(len(line) + 1 for line in lines) < chars:
        lines.append(_PIECES[len(lines) % len(_PIECES)])
    return "\n".join(lines)


def long_command(chars: int = 1024) -> str:
    """Make one command with many arguments."""
    files = [f"'reports/quarter {n}.csv'" for n in range(chars // 25)]
    return "mytool convert --to parquet " + " ".join(files)


def median_us(act: Callable[[], object]) -> float:
    for _ in range(20):
        act()
    samples: list[float] = []
    for _ in range(DECISIONS):
        began = time.perf_counter()
        act()
        samples.append(time.perf_counter() - began)
    return statistics.median(samples) * 1e6


def main() -> dict[str, float]:
    from dataagent_core.permissions.decision import evaluate
    from dataagent_core.permissions.request import PermissionRequest
    from dataagent_core.permissions.rules import Rule, RuleSet
    from dataagent_core.permissions.shell.parser.grammar import parse

    person = tuple(
        Rule("shell", f"tool{n} run *", "allow" if n % 2 else "ask", "person") for n in range(49)
    )
    rules = RuleSet(person=(*person, Rule("shell", "git push *", "deny", "person")))
    dense = command_line()

    def decision_us(line: str) -> float:
        request = PermissionRequest(tool="shell", args={"command": line})
        return median_us(lambda: evaluate(request, rules))

    decision, parsing = decision_us(dense), median_us(lambda: parse(dense.encode()))
    return {
        "permission_one_command_us": decision_us(long_command()),
        "permission_forty_commands_us": decision,
        "permission_parse_us": parsing,
        "permission_ratio": decision / parsing,
    }


if __name__ == "__main__":
    print(json.dumps(main(), indent=2))
