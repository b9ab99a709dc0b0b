"""The files that hold rules: a person or an operator writes them, a tool never.

What keeps tools and commands from writing them is `sandbox/paths/protected_paths.py`.
"""

PERSON_RULES_NAME = "permissions.toml"
PROJECT_RULES_PATH = ".dataagent/permissions.toml"
TRUSTED_FOLDERS_NAME = "trusted_folders.toml"
REGISTRIES_NAME = "registries.toml"
