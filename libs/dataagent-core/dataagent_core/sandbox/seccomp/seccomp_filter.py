"""The seccomp filter of the sandbox, assembled by hand as classic BPF.

    another architecture, or the x32 calling convention   the process is killed
    a call of `system_calls.py`                           EPERM, or ENOSYS
    clone with a new user namespace                       EPERM
    fcntl F_SETSIG: a signal of one's choice              EPERM (`processes/process_freeze.py`)
    socket, socketpair but unix, IPv4, IPv6               EAFNOSUPPORT
    fallocate but to free space                           EOPNOTSUPP: libc then writes
    huge pages: mmap, memfd_create, shmget                ENOMEM
    shmget of more than 16 KiB                            ENOSPC
    semget of more than 64 semaphores                     EINVAL

Everything else is allowed. A vsock would leave the machine past every network namespace. Space that
`fallocate` takes is taken before the watchdog can look. Segments and semaphores of System V belong
to no process: their number is the kernel's (4,096 and 32,000), so their size must be small.
"""

import errno
import socket
import struct
from dataclasses import dataclass

from dataagent_core.errors import SandboxUnavailableError
from dataagent_core.sandbox.seccomp.system_calls import ARCHITECTURES, Architecture

_LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_IF_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_IF_ABOVE = 0x25  # BPF_JMP | BPF_JGT | BPF_K
_IF_AT_LEAST = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_IF_ANY_BIT = 0x45  # BPF_JMP | BPF_JSET | BPF_K
_RETURN = 0x06  # BPF_RET | BPF_K

# Offsets in struct seccomp_data; arguments are 64 bits, little-endian on both architectures.
_CALL, _ARCHITECTURE = 0, 4
_FIRST, _SECOND, _THIRD, _FOURTH = 16, 24, 32, 40
_UPPER_HALF = 4

_ALLOW = 0x7FFF0000
_KILL = 0x80000000
_ERROR = 0x00050000
_X32_BIT = 0x40000000
_CLONE_NEWUSER = 0x10000000
_FAMILIES = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6)
_F_SETSIG = 10
# FALLOC_FL_PUNCH_HOLE, FALLOC_FL_COLLAPSE_RANGE
_FREES_SPACE = 0x02 | 0x08
_MAP_HUGETLB = 0x40000
_MFD_HUGETLB = 0x4
_SHM_HUGETLB = 0x800
_SEGMENT_BYTES_MAX = 16 * 1024
_SEMAPHORES_MAX = 64


@dataclass(frozen=True, slots=True)
class _FilterStep:
    code: int
    value: int
    then: int = 0
    otherwise: int = 0

    def packed(self) -> bytes:
        return struct.pack("=HBBI", self.code, self.then, self.otherwise, self.value)


def build_seccomp_filter(machine: str) -> bytes:
    """Assemble the filter for a machine as `platform.machine()` names it."""
    architecture = ARCHITECTURES.get(machine)
    if architecture is None:
        known = ", ".join(sorted(ARCHITECTURES))
        raise SandboxUnavailableError(
            f"There is no system call filter for {machine!r}, only for {known}. "
            "Run DataAgent on one of these, or use a remote sandbox."
        )
    return b"".join(step.packed() for step in _program(architecture))


def _program(architecture: Architecture) -> list[_FilterStep]:
    steps = [
        _FilterStep(_LOAD, _ARCHITECTURE),
        _FilterStep(_IF_EQUAL, architecture.audit_id, then=1),
        _FilterStep(_RETURN, _KILL),
        _FilterStep(_LOAD, _CALL),
        _FilterStep(_IF_AT_LEAST, _X32_BIT, otherwise=1),
        _FilterStep(_RETURN, _KILL),
    ]
    for number in architecture.blocked:
        steps += _refuse_call(number, errno.EPERM)
    for number in architecture.missing:
        steps += _refuse_call(number, errno.ENOSYS)
    for name, body in _BODIES.items():
        steps += _only_for(architecture.checked[name], body)
    return [*steps, _FilterStep(_RETURN, _ALLOW)]


def _refuse_call(number: int, error: int) -> list[_FilterStep]:
    return [_FilterStep(_IF_EQUAL, number, otherwise=1), _FilterStep(_RETURN, _ERROR | error)]


def _only_for(number: int, body: list[_FilterStep]) -> list[_FilterStep]:
    return [_FilterStep(_IF_EQUAL, number, otherwise=len(body)), *body]


def _refuse_if(test: int, argument: int, value: int, error: int) -> list[_FilterStep]:
    return [
        _FilterStep(_LOAD, argument),
        _FilterStep(test, value, otherwise=1),
        _FilterStep(_RETURN, _ERROR | error),
    ]


def _allow_only(test: int, argument: int, values: tuple[int, ...], error: int) -> list[_FilterStep]:
    steps = [_FilterStep(_LOAD, argument)]
    for value in values:
        steps += [_FilterStep(test, value, otherwise=1), _FilterStep(_RETURN, _ALLOW)]
    return [*steps, _FilterStep(_RETURN, _ERROR | error)]


_ALLOWED = [_FilterStep(_RETURN, _ALLOW)]
_FAMILY = _allow_only(_IF_EQUAL, _FIRST, _FAMILIES, errno.EAFNOSUPPORT)
_BODIES: dict[str, list[_FilterStep]] = {
    "clone": [*_refuse_if(_IF_ANY_BIT, _FIRST, _CLONE_NEWUSER, errno.EPERM), *_ALLOWED],
    "fcntl": [*_refuse_if(_IF_EQUAL, _SECOND, _F_SETSIG, errno.EPERM), *_ALLOWED],
    "socket": _FAMILY,
    "socketpair": _FAMILY,
    "fallocate": _allow_only(_IF_ANY_BIT, _SECOND, (_FREES_SPACE,), errno.EOPNOTSUPP),
    "mmap": [*_refuse_if(_IF_ANY_BIT, _FOURTH, _MAP_HUGETLB, errno.ENOMEM), *_ALLOWED],
    "memfd_create": [*_refuse_if(_IF_ANY_BIT, _SECOND, _MFD_HUGETLB, errno.ENOMEM), *_ALLOWED],
    "shmget": [
        *_refuse_if(_IF_ANY_BIT, _THIRD, _SHM_HUGETLB, errno.ENOMEM),
        *_refuse_if(_IF_ABOVE, _SECOND, _SEGMENT_BYTES_MAX, errno.ENOSPC),
        *_refuse_if(_IF_ABOVE, _SECOND + _UPPER_HALF, 0, errno.ENOSPC),
        *_ALLOWED,
    ],
    "semget": [*_refuse_if(_IF_ABOVE, _SECOND, _SEMAPHORES_MAX, errno.EINVAL), *_ALLOWED],
}
