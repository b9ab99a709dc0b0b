"""The languages a project is written in: found on this computer, shown read-only in the sandbox.

toolchain.py        what a language needs: folders, PATH, environment
python_toolchain.py       the interpreter behind a virtual environment, and pyenv's
node_toolchain.py, go_toolchain.py, rust_toolchain.py
toolchain_versions.py     which of several installed versions a file of the project names
credential_files.py  what lies in such folders and is nobody's business
toolchain_search.py         all of them, for one project

What a project's files say is not believed by itself, for a command may have written them: a folder
is shown only if it is an installation of the language, and holds neither a home nor our own folder.
"""

from dataagent_core.sandbox.toolchains.toolchain import NO_TOOLCHAINS, Toolchains
from dataagent_core.sandbox.toolchains.toolchain_search import find_toolchains

__all__ = ["NO_TOOLCHAINS", "Toolchains", "find_toolchains"]
