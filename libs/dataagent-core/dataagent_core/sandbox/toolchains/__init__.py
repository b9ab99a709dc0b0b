"""The languages a project is written in: found on this computer, shown read-only in the sandbox.

found.py        what a language needs: folders, PATH, environment
python.py       the interpreter behind a virtual environment, and pyenv's
node.py, go.py, rust.py
versions.py     which of several installed versions a file of the project names
credentials.py  what lies in such folders and is nobody's business
find.py         all of them, for one project

What a project's files say is not believed by itself, for a command may have written them: a folder
is shown only if it is an installation of the language, and holds neither a home nor our own folder.
"""

from dataagent_core.sandbox.toolchains.find import find_toolchains
from dataagent_core.sandbox.toolchains.found import NO_TOOLCHAINS, Toolchains

__all__ = ["NO_TOOLCHAINS", "Toolchains", "find_toolchains"]
