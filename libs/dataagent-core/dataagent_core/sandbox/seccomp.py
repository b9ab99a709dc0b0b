"""The seccomp filter of the sandbox, assembled by hand as classic BPF.

    another architecture, or the x32 calling convention   the process is killed
    a call of `seccomp_table`                             EPERM
    clone with a new user namespace                       EPERM
    clone3, whose flags a filter cannot see               ENOSYS: libc then uses clone
    timer_create, mq_notify: a signal of one's choice     ENOSYS: it could be SIGCONT for a process
    fcntl F_SETSIG: the same                              EPERM   that was stopped (`freezing.py`)
    socket but unix, IPv4, IPv6                           EAFNOSUPPORT

Everything else is allowed. A vsock would leave the machine past every network namespace.
"""

import errno
import socket
import struct
from dataclasses import dataclass

from dataagent_core.errors import SandboxUnavailableError
from dataagent_core.sandbox.seccomp_table import ARCHITECTURES, Architecture

_LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
_IF_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_IF_AT_LEAST = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_IF_ANY_BIT = 0x45  # BPF_JMP | BPF_JSET | BPF_K
_RETURN = 0x06  # BPF_RET | BPF_K

# Offsets in struct seccomp_data; arguments are 64 bits, little-endian on both architectures.
_CALL, _ARCHITECTURE = 0, 4
_FIRST_ARGUMENT, _SECOND_ARGUMENT, _THIRD_ARGUMENT = 16, 24, 32

_ALLOW = 0x7FFF0000
_KILL = 0x80000000
_ERROR = 0x00050000
_X32_BIT = 0x40000000
_CLONE_NEWUSER = 0x10000000
_FAMILIES = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6)
_F_SETSIG = 10


@dataclass(frozen=True, slots=True)
class _Step:
    code: int
    value: int
    then: int = 0
    otherwise: int = 0

    def packed(self) -> bytes:
        return struct.pack("=HBBI", self.code, self.then, self.otherwise, self.value)


def seccomp_filter(machine: str) -> bytes:
    """Assemble the filter for a machine as `platform.machine()` names it."""
    architecture = ARCHITECTURES.get(machine)
    if architecture is None:
        known = ", ".join(sorted(ARCHITECTURES))
        raise SandboxUnavailableError(
            f"There is no system call filter for {machine!r}, only for {known}. "
            "Run DataAgent on one of these, or use a remote sandbox."
        )
    return b"".join(step.packed() for step in _program(architecture))


def _program(architecture: Architecture) -> list[_Step]:
    steps = [
        _Step(_LOAD, _ARCHITECTURE),
        _Step(_IF_EQUAL, architecture.audit_id, then=1),
        _Step(_RETURN, _KILL),
        _Step(_LOAD, _CALL),
        _Step(_IF_AT_LEAST, _X32_BIT, otherwise=1),
        _Step(_RETURN, _KILL),
    ]
    for number in architecture.blocked:
        steps += _refuse_call(number, errno.EPERM)
    for number in (architecture.clone3, *architecture.own_signals):
        steps += _refuse_call(number, errno.ENOSYS)
    steps += _only_for(architecture.fcntl, _fcntl_body())
    steps += _only_for(architecture.clone, _clone_body())
    steps += _only_for(architecture.socket, _socket_body())
    return [*steps, _Step(_RETURN, _ALLOW)]


def _refuse_call(number: int, error: int) -> list[_Step]:
    return [_Step(_IF_EQUAL, number, otherwise=1), _Step(_RETURN, _ERROR | error)]


def _only_for(number: int, body: list[_Step]) -> list[_Step]:
    return [_Step(_IF_EQUAL, number, otherwise=len(body)), *body]


def _clone_body() -> list[_Step]:
    return [
        _Step(_LOAD, _FIRST_ARGUMENT),
        _Step(_IF_ANY_BIT, _CLONE_NEWUSER, otherwise=1),
        _Step(_RETURN, _ERROR | errno.EPERM),
        _Step(_RETURN, _ALLOW),
    ]


def _fcntl_body() -> list[_Step]:
    return [
        _Step(_LOAD, _SECOND_ARGUMENT),
        _Step(_IF_EQUAL, _F_SETSIG, otherwise=1),
        _Step(_RETURN, _ERROR | errno.EPERM),
        _Step(_RETURN, _ALLOW),
    ]


def _socket_body() -> list[_Step]:
    steps = [_Step(_LOAD, _FIRST_ARGUMENT)]
    for family in _FAMILIES:
        steps += [_Step(_IF_EQUAL, family, otherwise=1), _Step(_RETURN, _ALLOW)]
    return [*steps, _Step(_RETURN, _ERROR | errno.EAFNOSUPPORT)]
