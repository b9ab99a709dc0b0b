"""Toolchains of a project's languages: found on this computer, mounted read-only in the sandbox.

    toolchain.py           what a language needs: folders, PATH, environment
    *_toolchain.py         Python, Node, Go, Rust; `toolchain_versions.py`: the version to use
    credential_files.py    files in such folders that are not shown
    toolchain_search.py    all toolchains of one project

A folder is mounted only if it is an installation and holds neither a home nor our own folder.
"""

from dataagent_core.sandbox.toolchains.toolchain import NO_TOOLCHAINS, Toolchains
from dataagent_core.sandbox.toolchains.toolchain_search import find_toolchains

__all__ = ["NO_TOOLCHAINS", "Toolchains", "find_toolchains"]
