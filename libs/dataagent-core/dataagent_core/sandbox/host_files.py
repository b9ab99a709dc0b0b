"""Files of a workspace that make programs of the host run something, or send something elsewhere.

The list is data: a name or a path's end, and who obeys it. `docs/sandbox.md` shows it, and a test
tries every entry. A change that a command makes to one is held back until a person agrees
(`host_guard.py`), and no rule with a wildcard lets a tool write one (`permissions/decide_tool.py`).
What lies in a git directory is judged by `git_files.py`. Not here: code of the project that a
person runs knowingly (`conftest.py`, `package.json`, `Makefile`).
"""

import fnmatch
from typing import Final, NamedTuple

from dataagent_core.sandbox.protected import folded_name
from dataagent_core.sandbox.safe_paths import Parts


class HostFile(NamedTuple):
    """One entry: the end of a path, and who obeys it.

    `*` stands for a part of a name; a `/` at the end names a folder with everything in it.
    """

    pattern: str
    who: str


HOST_FILES: Final = (
    HostFile(".env", "DataAgent, docker compose and many frameworks: addresses and keys"),
    HostFile(".env.*", "the same"),
    HostFile(".envrc", "direnv runs it in a shell"),
    HostFile(".mise.toml", "mise: hooks, environment"),
    HostFile("mise.toml", "mise: hooks, environment"),
    HostFile(".npmrc", "npm: registry, scripts, shell"),
    HostFile(".yarnrc", "yarn: path of the program"),
    HostFile(".yarnrc.yml", "yarn: path of the program, plugins"),
    HostFile(".pnpmfile.cjs", "pnpm runs it"),
    HostFile(".pypirc", "uploads of packages: address"),
    HostFile(".netrc", "curl, git and pip: who one is where"),
    HostFile(".ripgreprc", "ripgrep: a program before each file"),
    HostFile(".gitconfig", "git: programs for almost everything"),
    HostFile(".gitmodules", "git: addresses of submodules"),
    HostFile(".pre-commit-config.yaml", "pre-commit: programs at each commit"),
    HostFile("lefthook.yml", "lefthook: programs at each commit"),
    HostFile(".husky/", "husky: programs at each commit"),
    HostFile(".githooks/", "a usual place of hooks"),
    HostFile(".mcp.json", "agents start the programs it names"),
    HostFile(".vscode/", "VS Code: tasks, programs, terminal"),
    HostFile("*.code-workspace", "VS Code: tasks, programs, terminal"),
    HostFile(".idea/", "JetBrains: run configurations, watchers"),
    HostFile(".zed/", "Zed: tasks, programs"),
    HostFile(".devcontainer/", "editors: commands at start"),
    HostFile(".devcontainer.json", "editors: commands at start"),
    HostFile(".dir-locals.el", "Emacs evaluates it"),
    HostFile(".exrc", "vi runs it"),
    HostFile(".vimrc", "vim runs it"),
    HostFile(".nvim.lua", "Neovim runs it"),
    HostFile(".nvimrc", "Neovim runs it"),
    HostFile(".gdbinit", "gdb runs it"),
    HostFile(".lldbinit", "lldb runs it"),
    HostFile(".cargo/config.toml", "cargo: compiler, linker, runner"),
    HostFile(".cargo/config", "cargo: compiler, linker, runner"),
    HostFile(".claude/", "other agents: hooks, commands"),
    HostFile(".codex/", "other agents: hooks, commands"),
    HostFile(".cursor/", "other agents: hooks, commands"),
    HostFile(".gemini/", "other agents: hooks, commands"),
    HostFile(".agents/", "other agents: skills"),
    HostFile(".bashrc", "bash"),
    HostFile(".bash_profile", "bash"),
    HostFile(".bash_login", "bash"),
    HostFile(".bash_logout", "bash"),
    HostFile(".profile", "login shells"),
    HostFile(".zshrc", "zsh"),
    HostFile(".zshenv", "zsh"),
    HostFile(".zprofile", "zsh"),
    HostFile(".zlogin", "zsh"),
    HostFile(".inputrc", "readline: keys that run commands"),
    HostFile(".ssh/", "ssh: programs, keys that may log in"),
    HostFile(".config/git/", "git: programs for almost everything"),
    HostFile(".config/fish/", "fish"),
    HostFile(".config/nvim/", "Neovim"),
    HostFile(".config/direnv/", "direnv"),
    HostFile(".config/autostart/", "desktops start it"),
    HostFile(".config/systemd/", "systemd starts it"),
)
# Written to be copied by a person; nothing reads them.
_PATTERNS_OF_ENV: Final = (".example", ".sample", ".template", ".dist")
_BY_END: Final = {entry.pattern.rstrip("/"): entry for entry in HOST_FILES}
_WILD: Final = tuple(entry for entry in HOST_FILES if "*" in entry.pattern)


def host_file(parts: Parts) -> HostFile | None:
    """Give the entry a path falls under; a folder on the way counts."""
    parent = ""
    for name in parts[:-1]:
        entry = entry_of(parent, name)
        if entry is not None and is_folder(entry):
            return entry
        parent = name
    return entry_of(parent, parts[-1]) if parts else None


def is_folder(entry: HostFile) -> bool:
    """Say whether an entry covers everything in a folder."""
    return entry.pattern.endswith("/")


def entry_of(parent: str, name: str) -> HostFile | None:
    """Give the entry of one name, be it a file, a folder or a link, in a folder of another name."""
    end = folded_name(name)
    found = _BY_END.get(end) or _BY_END.get(f"{folded_name(parent)}/{end}")
    if found is not None:
        return found
    if end.startswith(".env.") and end.endswith(_PATTERNS_OF_ENV):
        return None
    return next((entry for entry in _WILD if fnmatch.fnmatchcase(end, entry.pattern)), None)
