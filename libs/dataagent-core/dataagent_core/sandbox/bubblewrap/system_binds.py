"""The read-only part of the host that a command sees, and the `/etc` made for it.

/usr and the links into it, and of /etc only what programs need to start: nothing of /root, /home,
/var, /run or /opt, no keys, no sockets. Further folders (a Python for `code_executor`) and files
(the data of a source) can be added as `BindMount`s.
"""

import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

BASE_ROOTS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_ETC_FILES = (
    "ld.so.cache",
    "localtime",
    "mime.types",
    "nsswitch.conf",
    "protocols",
    "services",
    "ssl/openssl.cnf",
)
# Copied too: each mount costs a run some time.
_ETC_FOLDERS = ("alternatives", "fonts")
_NETWORK_FILES = ("hosts", "resolv.conf")
_NETWORK_FOLDERS = ("pki/tls/certs", "ssl/certs")
# Missing, unreadable, or not a file; a full disk is none of these.
_LEFT_OUT = (FileNotFoundError, PermissionError, shutil.SpecialFileError)
_HOSTS = "127.0.0.1 localhost sandbox\n::1 localhost\n"


@dataclass(frozen=True, slots=True)
class BindMount:
    """A folder of the host shown at `dest`, or a file or folder that the caller holds open.

    A descriptor cannot be replaced between a check and the mount.
    """

    source: str
    dest: str
    file_descriptor: int | None = None
    # What is written there stays on the host and is not counted.
    writable: bool = False


def list_system_binds() -> tuple[BindMount, ...]:
    """List what of the host is shown beside /etc."""
    return tuple(
        BindMount(os.path.realpath(root), root) for root in BASE_ROOTS if Path(root).is_dir()
    )


def list_certificate_binds() -> tuple[BindMount, ...]:
    """List the folders with public certificates, for commands that have any network."""
    folders = (f"/etc/{name}" for name in _NETWORK_FOLDERS)
    return tuple(BindMount(os.path.realpath(path), path) for path in folders if Path(path).is_dir())


def list_resolver_binds() -> tuple[BindMount, ...]:
    """List the files that name resolution needs, for commands with the host's network."""
    files = (f"/etc/{name}" for name in _NETWORK_FILES)
    return tuple(BindMount(os.path.realpath(path), path) for path in files if Path(path).is_file())


def build_etc(etc: Path, uid: int, gid: int) -> None:
    """Make the `/etc` of a sandbox, with a user and no more."""
    etc.mkdir()
    for name in _ETC_FOLDERS:
        with suppress(*_LEFT_OUT):
            _copy_folder(Path("/etc", name), etc / name)
    for bind in list_certificate_binds():
        (etc / bind.dest.removeprefix("/etc/")).mkdir(parents=True)
    for name in _ETC_FILES:
        (etc / name).parent.mkdir(parents=True, exist_ok=True)
        with suppress(*_LEFT_OUT):
            shutil.copyfile(f"/etc/{name}", etc / name)
    (etc / "passwd").write_text(f"agent:x:{uid}:{gid}:agent:/tmp:/bin/sh\n")
    (etc / "group").write_text(f"agent:x:{gid}:\n")
    (etc / "hosts").write_text(_HOSTS)
    (etc / "resolv.conf").touch()


def _copy_folder(source: Path, to: Path) -> None:
    """Copy files and links, without their times and attributes: those cost more than the rest."""
    to.mkdir()
    for entry in source.iterdir():
        copy = to / entry.name
        with suppress(*_LEFT_OUT):
            if entry.is_symlink():
                copy.symlink_to(entry.readlink())
            elif entry.is_dir():
                _copy_folder(entry, copy)
            else:
                shutil.copyfile(entry, copy)
