"""The files that hold rules: a person or an operator writes them, a tool never.

The file layer refuses to write, move or delete anything whose path ends in one of these names.
"""

from pathlib import Path

PERSON_RULES_NAME = "permissions.toml"
PROJECT_RULES_PATH = ".dataagent/permissions.toml"
TRUSTED_FOLDERS_NAME = "trusted_folders.toml"
REGISTRIES_NAME = "registries.toml"

# As they may appear beneath a workspace, in case that is the home or holds it.
RULE_FILE_NAMES = (PROJECT_RULES_PATH, PERSON_RULES_NAME, TRUSTED_FOLDERS_NAME, REGISTRIES_NAME)


def is_rule_file(path: str, home: Path | None = None) -> bool:
    """Say whether a path (from the workspace root, or on the host) names a file of rules."""
    folded = "/" + path.replace("\\", "/").strip("/").casefold()
    if folded.endswith("/" + PROJECT_RULES_PATH):
        return True
    if home is None:
        return False
    return any(
        folded == "/" + str(home / name).strip("/").casefold()
        for name in (PERSON_RULES_NAME, TRUSTED_FOLDERS_NAME, REGISTRIES_NAME)
    )
