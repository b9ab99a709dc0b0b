"""The files that hold rules: a person or an operator writes them, a tool never.

The file layer refuses to write, move or delete anything whose path ends in one of these names.
"""

PERSON_RULES_NAME = "permissions.toml"
PROJECT_RULES_PATH = ".dataagent/permissions.toml"
TRUSTED_FOLDERS_NAME = "trusted_folders.toml"
REGISTRIES_NAME = "registries.toml"
