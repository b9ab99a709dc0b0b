"""Files of a workspace that make programs of the host run something, or send something elsewhere.

The list is data: a name or a path's end, and who obeys it. `docs/sandbox.md` shows it, and a test
tries every entry. A change that a command makes to one is held back until a person agrees
(`host_guard.py`), and no rule with a wildcard lets a tool write one (`permissions/rules.py`). What
lies in a git directory is judged by `sandbox/git/git_file_checks.py`. Not here: code of the project
that a person runs knowingly (`conftest.py`, `package.json`, `Makefile`).
"""

import fnmatch
import re
from typing import Final, Literal, NamedTuple

from dataagent_core.sandbox.paths.protected_paths import fold_name
from dataagent_core.sandbox.paths.tool_paths import PathParts


class HostFile(NamedTuple):
    """One entry: the end of a path, and who obeys it.

    `*` stands for a part of a name; a `/` at the end names a folder with everything in it. Content
    that fits `harmless` as a whole makes nobody run anything.
    """

    pattern: str
    who: str
    harmless: str | None = None


HOST_FILES: Final = (
    # The environment of shells and services.
    HostFile(".env", "DataAgent, docker compose and many frameworks: addresses and keys"),
    HostFile(".env.*", "the same"),
    HostFile(".envrc", "direnv runs it in a shell"),
    HostFile(".mise.toml", "mise: hooks, environment"),
    HostFile(".mise.*.toml", "mise: hooks, environment"),
    HostFile("mise.toml", "mise: hooks, environment"),
    HostFile("mise.*.toml", "mise: hooks, environment"),
    HostFile(".mise/", "mise: hooks, tasks"),
    HostFile(".autoenv", "autoenv runs it in a shell"),
    HostFile(".autoenv.zsh", "autoenv runs it in a shell"),
    HostFile(".tool-versions", "asdf and mise: which program a name starts"),
    HostFile(
        ".python-version",
        "uv, pyenv: which Python is started, where it is named by a path",
        harmless=r"(?:(?:system|[A-Za-z]*+[@-]?\d[\w.+-]*+)?[ \t\r]*+(?:\n|\Z))++|",
    ),
    HostFile(".pdm-python", "pdm: which Python is started"),
    HostFile(".shadowenv.d/", "shadowenv: the environment of a folder"),
    # Package managers and builds.
    HostFile(".npmrc", "npm: registry, scripts, shell"),
    HostFile(".yarnrc", "yarn: path of the program"),
    HostFile(".yarnrc.yml", "yarn: path of the program, plugins"),
    HostFile(".yarn/releases/", "yarn is started from it"),
    HostFile(".yarn/plugins/", "yarn runs it"),
    HostFile(".pnpmfile.cjs", "pnpm runs it"),
    HostFile(".pnpmfile.mjs", "pnpm runs it"),
    HostFile("bunfig.toml", "bun: programs before each run, registry"),
    HostFile(".bundle/", "bundler: addresses, options of builds"),
    HostFile(".gemrc", "gem: addresses"),
    HostFile(".pypirc", "uploads of packages: address"),
    HostFile("pip.conf", "pip: addresses; in virtual environments too"),
    HostFile("uv.toml", "uv: addresses"),
    HostFile("poetry.toml", "poetry: addresses"),
    HostFile("pdm.toml", "pdm: addresses"),
    HostFile(".pdm.toml", "pdm: addresses"),
    HostFile(".condarc", "conda: addresses"),
    HostFile(".cargo/config.toml", "cargo: compiler, linker, runner"),
    HostFile(".cargo/config", "cargo: compiler, linker, runner"),
    HostFile("rust-toolchain.toml", "rustup: which compiler is started"),
    HostFile("rust-toolchain", "rustup: which compiler is started"),
    HostFile(".mvn/", "maven: extensions, options of java"),
    HostFile(".bazelrc", "bazel: programs, options"),
    HostFile(".bazeliskrc", "bazelisk: which bazel is fetched and started"),
    HostFile(".bazelversion", "bazelisk: which bazel is fetched and started"),
    HostFile("gradle/wrapper/", "gradle is fetched and started as it says"),
    # Git, other version control, and hooks at commits.
    HostFile(".gitconfig", "git: programs for almost everything"),
    HostFile(".gitconfig*", "git: programs for almost everything"),
    HostFile(".git-credentials", "git: who one is where"),
    HostFile(".lfsconfig", "git-lfs: addresses"),
    HostFile(".pre-commit-config.yaml", "pre-commit: programs at each commit"),
    HostFile("lefthook.y*ml", "lefthook: programs at each commit"),
    HostFile(".lefthook.y*ml", "lefthook: programs at each commit"),
    HostFile("lefthook-local.y*ml", "lefthook: programs at each commit"),
    HostFile(".lefthook/", "lefthook: programs at each commit"),
    HostFile(".overcommit.yml", "overcommit: programs at each commit"),
    HostFile(".simple-git-hooks.*", "simple-git-hooks: programs at each commit"),
    HostFile(".husky/", "husky: programs at each commit"),
    HostFile(".huskyrc*", "husky: programs at each commit"),
    HostFile(".githooks/", "a usual place of hooks"),
    HostFile(".git-hooks/", "a usual place of hooks"),
    HostFile(".hg/hgrc", "Mercurial: hooks, extensions"),
    HostFile(".hgrc", "Mercurial: hooks, extensions"),
    HostFile(".hg/hgrc-not-shared", "Mercurial: hooks, extensions"),
    HostFile(".sl/config", "Sapling: hooks, extensions"),
    HostFile(".jj/repo/config.toml", "jj: programs for diffs and merges"),
    # Editors.
    HostFile(".vscode/", "VS Code: tasks, programs, terminal"),
    HostFile("*.code-workspace", "VS Code: tasks, programs, terminal"),
    HostFile(".vs/", "Visual Studio: tasks"),
    HostFile(".idea/", "JetBrains: run configurations, watchers"),
    HostFile(".run/", "JetBrains: run configurations"),
    HostFile(".fleet/", "JetBrains: run configurations"),
    HostFile(".externaltoolbuilders/", "Eclipse: programs at each build"),
    HostFile(".zed/", "Zed: tasks, programs"),
    HostFile(".helix/", "Helix: language servers"),
    HostFile("*.sublime-project", "Sublime Text: build programs"),
    HostFile(".devcontainer/", "editors: commands at start"),
    HostFile(".devcontainer.json", "editors: commands at start"),
    HostFile(".dir-locals.el", "Emacs evaluates it"),
    HostFile(".dir-locals-2.el", "Emacs evaluates it"),
    HostFile(".emacs", "Emacs evaluates it"),
    HostFile(".emacs.d/", "Emacs evaluates it"),
    HostFile(".exrc", "vi runs it"),
    HostFile(".vimrc", "vim runs it"),
    HostFile(".lvimrc", "vim runs it"),
    HostFile(".vim/", "vim runs it"),
    HostFile(".nvim.lua", "Neovim runs it"),
    HostFile(".nvimrc", "Neovim runs it"),
    HostFile(".lazy.lua", "Neovim runs it"),
    HostFile(".nova/", "Nova: tasks"),
    HostFile(".ycm_extra_conf.py", "vim's YouCompleteMe runs it"),
    HostFile(".nanorc", "nano: programs for spelling and formatting"),
    # Debuggers, interpreters, searching.
    HostFile(".gdbinit", "gdb runs it"),
    HostFile(".lldbinit", "lldb runs it"),
    HostFile(".pdbrc", "Python's debugger runs it"),
    HostFile(".irbrc", "irb runs it"),
    HostFile(".pryrc", "pry runs it"),
    HostFile(".rprofile", "R runs it"),
    HostFile(".sqliterc", "sqlite3 runs it"),
    HostFile(".psqlrc", "psql runs it"),
    HostFile(".ripgreprc", "ripgrep: a program before each file"),
    HostFile(".gdbearlyinit", "gdb runs it"),
    HostFile(".ghci", "ghci runs it"),
    HostFile(".ocamlinit", "ocaml runs it"),
    HostFile(".iex.exs", "iex runs it"),
    HostFile(".octaverc", "Octave runs it"),
    HostFile(".renviron", "R: files it runs at its start"),
    HostFile(".julia/config/", "Julia runs it"),
    HostFile(".ipython/", "IPython runs it"),
    HostFile(".jupyter/", "Jupyter runs it"),
    HostFile(".duckdbrc", "duckdb runs it"),
    HostFile(".mongoshrc.js", "mongosh runs it"),
    HostFile(".mongorc.js", "mongo runs it"),
    HostFile(".my.cnf", "mysql: pager, addresses"),
    HostFile(".ackrc", "ack: pager"),
    HostFile(".lesskey", "less: a program before each file"),
    HostFile(".lessfilter", "less runs it"),
    # Other agents.
    HostFile(".mcp.json", "agents start the programs it names"),
    HostFile(".claude/", "other agents: hooks, commands"),
    HostFile(".codex/", "other agents: hooks, commands"),
    HostFile(".cursor/", "other agents: hooks, commands"),
    HostFile(".gemini/", "other agents: hooks, commands"),
    HostFile(".qwen/", "other agents: hooks, commands"),
    HostFile(".opencode/", "other agents: plugins, commands"),
    HostFile("opencode.json*", "other agents: programs it names"),
    HostFile(".kiro/", "other agents: hooks, commands"),
    HostFile(".amazonq/", "other agents: programs it names"),
    HostFile(".continue/", "other agents: programs it names"),
    HostFile(".windsurf/", "other agents: commands"),
    HostFile(".roo/", "other agents: programs it names"),
    HostFile(".aider.conf.yml", "other agents: commands"),
    HostFile(".agents/", "other agents: skills"),
    HostFile(".clinerules/", "other agents: hooks"),
    HostFile(".factory/", "other agents: hooks, commands"),
    HostFile(".junie/", "other agents: programs it names"),
    HostFile(".github/hooks/", "other agents: hooks"),
    HostFile(".crush.json", "other agents: programs it names"),
    HostFile("crush.json", "other agents: programs it names"),
    # What shells, desktops and programs read in a home folder.
    HostFile(".bashrc", "bash"),
    HostFile(".bash_profile", "bash"),
    HostFile(".bash_login", "bash"),
    HostFile(".bash_logout", "bash"),
    HostFile(".bash_aliases", "bash"),
    HostFile(".profile", "login shells"),
    HostFile(".zshrc", "zsh"),
    HostFile(".zshenv", "zsh"),
    HostFile(".zprofile", "zsh"),
    HostFile(".zlogin", "zsh"),
    HostFile(".zlogout", "zsh"),
    HostFile(".kshrc", "ksh"),
    HostFile(".cshrc", "csh"),
    HostFile(".tcshrc", "tcsh"),
    HostFile(".login", "csh"),
    HostFile(".inputrc", "readline: keys that run commands"),
    HostFile(".screenrc", "screen runs it"),
    HostFile(".tmux.conf", "tmux runs it"),
    HostFile(".xinitrc", "the desktop's start"),
    HostFile(".xsession", "the desktop's start"),
    HostFile(".xsessionrc", "the desktop's start"),
    HostFile(".xprofile", "the desktop's start"),
    HostFile(".pam_environment", "the environment of every log-in"),
    HostFile(".ssh/", "ssh: programs, keys that may log in"),
    HostFile(".gnupg/", "gpg: programs, keys"),
    HostFile(".netrc", "curl, git and pip: who one is where"),
    HostFile(".curlrc", "curl: addresses, files"),
    HostFile(".wgetrc", "wget: addresses, files"),
    HostFile(".aws/", "aws: programs for credentials"),
    HostFile(".kube/", "kubectl: programs for credentials"),
    HostFile(".docker/", "docker: programs for credentials"),
    HostFile(".m2/settings.xml", "maven: addresses"),
    HostFile(".gradle/init.d/", "gradle runs it"),
    HostFile(".gradle/init.gradle", "gradle runs it"),
    HostFile(".gradle/init.gradle.kts", "gradle runs it"),
    HostFile(".gradle/gradle.properties", "gradle: options of java"),
    HostFile(".terraformrc", "terraform: plugins, addresses"),
    HostFile(".mailcap", "mail and desktop programs: what opens a file"),
    HostFile(".forward", "mail: programs"),
    HostFile(".procmailrc", "mail: programs"),
    HostFile(".cargo/bin/", "found as programs"),
    HostFile(".cargo/env", "login shells"),
    HostFile(".nvm/nvm.sh", "login shells"),
    HostFile(".pyenv/shims/", "found as programs"),
    HostFile(".config/", "git, fish, Neovim, direnv, systemd, desktops and more"),
    HostFile(".local/bin/", "found as programs"),
    HostFile(".local/lib/", "Python runs what it finds there"),
    HostFile(".local/share/", "desktops and services start it"),
)
# Asked about when a tool writes one; what a command writes into one is judged by
# `sandbox/git/git_file_checks.py`.
_ASKED_BESIDES: Final = {
    ".gitattributes": HostFile(".gitattributes", "git: filters, drivers"),
    ".gitmodules": HostFile(".gitmodules", "git: addresses of submodules"),
}
# Written to be copied by a person; nothing reads them.
_PATTERNS_OF_ENV: Final = (".example", ".sample", ".template", ".dist")

HostFileSort = Literal["file", "folder", "link"]


def is_folder(entry: HostFile) -> bool:
    """Say whether an entry covers everything in a folder."""
    return entry.pattern.endswith("/")


_BY_END: Final = {entry.pattern.rstrip("/"): entry for entry in HOST_FILES}
_NAMES_MAX: Final = max(end.count("/") for end in _BY_END) + 1
# The folders on the way to an entry that say nothing by themselves: `.cargo` of `.cargo/config`.
_WAYS: Final = frozenset(end[: found.start()] for end in _BY_END for found in re.finditer("/", end))
_LAST_WAYS: Final = frozenset(way.rpartition("/")[2] for way in _WAYS)
_WITH_STAR: Final = tuple(entry for entry in HOST_FILES if "*" in entry.pattern)
_STARTS: Final = tuple({entry.pattern.partition("*")[0] for entry in _WITH_STAR} - {""})
_ENDS: Final = tuple(e.pattern[1:] for e in _WITH_STAR if e.pattern.startswith("*"))
# How a name begins or ends that counts wherever it stands.
_NOTABLE_STARTS: Final = tuple(
    {entry.pattern.partition("*")[0] for entry in HOST_FILES if entry.pattern[0] not in ".*"}
    | {"."}
)


def is_ordinary(name: str) -> bool:
    """Say quickly of most names that they count only below certain folders, if at all."""
    lower = name.lower()
    return (
        name.isascii()
        and not lower.startswith(_NOTABLE_STARTS)
        and not lower.rstrip(". ").endswith(_ENDS)
    )


def leads_to_entries(folded: str) -> bool:
    """Say whether names below a folder count that are ordinary elsewhere."""
    return folded in _LAST_WAYS


def find_host_file(parts: PathParts) -> HostFile | None:
    """Give the entry that the path of a file falls under; a folder on the way counts."""
    folded = tuple(map(fold_name, parts))
    for depth in range(1, len(folded) + 1):
        entry = _find_entry(folded[:depth])
        if entry is not None and is_folder(entry) == (depth < len(folded)):
            return entry
    return _ASKED_BESIDES.get(folded[-1]) if folded else None


def is_host_file(above: PathParts, name: str, sort: HostFileSort) -> bool:
    """Say whether a folded name counts, below folded names; a folder with everything in it.

    A link counts for a file, for a folder, and for a folder on the way to an entry.
    """
    entry = _find_entry((*above, name))
    if entry is None:
        return sort == "link" and (name in _WAYS or "/".join((*above[-1:], name)) in _WAYS)
    return sort == "link" or is_folder(entry) == (sort == "folder")


def _find_entry(folded: PathParts) -> HostFile | None:
    name = folded[-1]
    found = _BY_END.get(name)
    if found is not None:
        return found
    if len(folded) > 1 and folded[-2] in _LAST_WAYS:
        for count in range(2, _NAMES_MAX + 1):
            found = _BY_END.get("/".join(folded[-count:]))
            if found is not None:
                return found
    if not name.startswith(_STARTS) and not name.endswith(_ENDS):
        return None
    if name.startswith(".env.") and name.endswith(_PATTERNS_OF_ENV):
        return None
    return next((e for e in _WITH_STAR if fnmatch.fnmatchcase(name, e.pattern)), None)
