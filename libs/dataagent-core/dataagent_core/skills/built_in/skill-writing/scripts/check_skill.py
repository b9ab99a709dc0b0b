"""Checks the folder of a skill before it is installed.

    python3 check_skill.py FOLDER [--json]

Ends with 1 if something is wrong. Needs nothing but Python; `dataagent skills validate` knows more,
because it reads YAML as a whole.
"""

import argparse
import json
import re
import sys
from pathlib import Path

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LINK = re.compile(r"\]\(\s*<?([^)\s>#]+)")
CODE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
STANDARD = {"name", "description", "license", "compatibility", "allowed-tools", "metadata"}
NAME_CHARS_MAX = 64
DESCRIPTION_CHARS_MAX = 1_024
DESCRIPTION_CHARS_USEFUL = 60
LINES_MAX = 500
EVALS_MIN = 6


def split(text: str) -> tuple[list[str], str] | None:
    """Return the lines of the front matter and the body; `None` if there is no front matter."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if lines[0].rstrip() != "---":
        return None
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() == "---":
            return lines[1:number], "\n".join(lines[number + 1 :])
    return None


def read_fields(head: list[str]) -> dict[str, str]:
    """Read the fields at the top; indented lines belong to the field before."""
    fields: dict[str, str] = {}
    key = ""
    for line in head:
        found = re.match(r"([A-Za-z][\w-]*):(?:\s+(.*))?$", line)
        if found:
            key = found[1]
            fields[key] = (found[2] or "").strip()
        elif key and line.strip():
            fields[key] = f"{fields[key]}\n{line.strip()}".strip()
    return {key: unquote(value) for key, value in fields.items()}


def unquote(value: str) -> str:
    """Take the quotes or the mark of a block from a value."""
    value = re.sub(r"\A[|>][+-]?\n", "", value)
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value


def check_fields(fields: dict[str, str], folder: str) -> tuple[list[str], list[str]]:
    """Return errors and warnings of the front matter."""
    errors: list[str] = []
    warnings: list[str] = []
    name = fields.get("name", "")
    if not NAME.fullmatch(name) or len(name) > NAME_CHARS_MAX:
        errors.append(f"name {name!r}: write 1 to 64 of a-z, 0-9 and single hyphens")
    elif name != folder:
        errors.append(f"name {name!r} is not the folder's, {folder!r}: rename one of them")
    text = fields.get("description", "")
    if not 0 < len(text) <= DESCRIPTION_CHARS_MAX:
        errors.append(f"description has {len(text)} characters: write 1 to 1,024")
    elif len(text) < DESCRIPTION_CHARS_USEFUL:
        warnings.append("description is very short: say what it does and when to use it")
    if "<" in text or ">" in text:
        errors.append("description has < or >: write words instead")
    others = sorted(fields.keys() - STANDARD)
    if others:
        warnings.append(f"move {', '.join(others)} into metadata: other readers refuse them here")
    return errors, warnings


def check_body(body: str, folder: Path) -> tuple[list[str], list[str]]:
    """Return errors and warnings of the text and its links."""
    errors: list[str] = []
    warnings: list[str] = []
    if not body.strip():
        errors.append("there is no text after the front matter")
    for link in LINK.findall(CODE.sub("", body)):
        path = link.removeprefix("./")
        if not path.startswith(("references/", "scripts/", "assets/")):
            continue
        if not (folder / path).exists():
            errors.append(f"the text refers to {path}, which is not there")
        elif path.startswith("references/") and path.count("/") > 1:
            warnings.append(f"{path}: keep references one level deep")
    return errors, warnings


def check_evals(folder: Path) -> tuple[list[str], list[str]]:
    """Return errors and warnings of evals/evals.json."""
    path = folder / "evals/evals.json"
    if not path.exists():
        return [], ["there is no evals/evals.json: nobody can tell whether the skill fires"]
    try:
        evals = json.loads(path.read_text(encoding="utf-8"))
        counts = {kind: len(evals[kind]) for kind in ("should", "should_not")}
    except (ValueError, KeyError, TypeError) as error:
        return [f'evals/evals.json is not {{"should": [], "should_not": []}}: {error}'], []
    few = [kind for kind, count in counts.items() if count < EVALS_MIN]
    return [], [f"evals: fewer than {EVALS_MIN} prompts in {kind!r}" for kind in few]


def check(folder: Path) -> tuple[list[str], list[str]]:
    """Return the errors and warnings of a folder."""
    try:
        text = (folder / "SKILL.md").read_text(encoding="utf-8")
    except OSError as error:
        return [f"SKILL.md cannot be read: {error.strerror or error}"], []
    except UnicodeDecodeError:
        return ["SKILL.md is not UTF-8: save it as UTF-8"], []
    parts = split(text)
    if parts is None:
        return ["SKILL.md must begin with front matter between two lines ---"], []
    head, body = parts
    lines = text.rstrip("\n").count("\n") + 1
    long = [f"SKILL.md has {lines} lines: keep it under {LINES_MAX}"] if lines > LINES_MAX else []
    checks = [
        check_fields(read_fields(head), folder.name),
        check_body(body, folder),
        check_evals(folder),
    ]
    errors = [error for found, _ in checks for error in found]
    return errors, [*long, *(warning for _, found in checks for warning in found)]


def main() -> None:
    """Read the arguments, print what was found, end with 1 on errors."""
    parser = argparse.ArgumentParser(description="Check the folder of a skill.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    errors, warnings = check(options.folder.resolve())
    if options.json:
        sys.stdout.write(json.dumps({"errors": errors, "warnings": warnings}) + "\n")
    else:
        lines = [*(f"error: {one}" for one in errors), *(f"warning: {one}" for one in warnings)]
        sys.stdout.write("\n".join(lines or ["The skill is in order."]) + "\n")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
