"""The seccomp filter of the sandbox, assembled by hand as classic BPF.

    another architecture, or the x32 calling convention   the process is killed
    a call in `_BLOCKED` or `_MISSING`                    EPERM, or ENOSYS
    clone with a new user namespace                       EPERM
    fcntl F_SETSIG: a signal of one's choice              EPERM (`processes/process_tree.py`)
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

# Each reaches deep into the kernel (io_uring, bpf, userfaultfd, perf), makes namespaces and mounts,
# or looks into other processes and keys. They fail with EPERM, as without the privilege.
# name: (x86_64, aarch64); -1 where there is none.
_BLOCKED: dict[str, tuple[int, int]] = {
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "perf_event_open": (298, 241),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_tree_attr": (467, 467),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "syslog": (103, 116),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "vhangup": (153, 58),
    "lookup_dcookie": (212, 18),
    "fanotify_init": (300, 262),
    "iopl": (172, -1),
    "ioperm": (173, -1),
    "modify_ldt": (154, -1),
    "uselib": (134, -1),
}
# These fail with ENOSYS, as in a kernel without them: programs then do without.
_MISSING: dict[str, tuple[int, int]] = {
    # Its flags are in memory, where a filter cannot see them: libc then uses clone.
    "clone3": (435, 435),
    # A signal of one's choice, for later: it could be SIGCONT for a stopped process.
    "timer_create": (222, 107),
    "mq_notify": (244, 184),
    # Memory that belongs to no process and no file that could be counted.
    "msgget": (68, 186),
    "vmsplice": (278, 75),
    "memfd_secret": (447, 447),
}
# Allowed with some arguments only (`_BODIES`).
_CHECKED: dict[str, tuple[int, int]] = {
    "clone": (56, 220),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "fcntl": (72, 25),
    "fallocate": (285, 47),
    "mmap": (9, 222),
    "memfd_create": (319, 279),
    "shmget": (29, 194),
    "semget": (64, 190),
}
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


def build_seccomp_filter(machine: str) -> bytes:
    """Assemble the filter for a machine as `platform.machine()` names it."""
    architecture = ARCHITECTURES.get(machine)
    if architecture is None:
        known = ", ".join(sorted(ARCHITECTURES))
        raise SandboxUnavailableError(
            f"There is no system call filter for {machine!r}, only for {known}. "
            "Run DataAgent on one of these, or use a remote sandbox."
        )
    return b"".join(step.pack() for step in _build_program(architecture))


@dataclass(frozen=True, slots=True)
class Architecture:
    """What a filter must know of one architecture."""

    audit_id: int
    blocked: tuple[int, ...]
    missing: tuple[int, ...]
    # By name, those whose arguments are looked at.
    checked: dict[str, int]


def _make_architecture(audit_id: int, column: int) -> Architecture:
    def numbers(calls: dict[str, tuple[int, int]]) -> dict[str, int]:
        return {name: both[column] for name, both in calls.items() if both[column] >= 0}

    return Architecture(
        audit_id,
        tuple(numbers(_BLOCKED).values()),
        tuple(numbers(_MISSING).values()),
        numbers(_CHECKED),
    )


ARCHITECTURES: dict[str, Architecture] = {
    "x86_64": _make_architecture(0xC000003E, 0),
    "aarch64": _make_architecture(0xC00000B7, 1),
}


@dataclass(frozen=True, slots=True)
class _FilterStep:
    code: int
    value: int
    then: int = 0
    otherwise: int = 0

    def pack(self) -> bytes:
        return struct.pack("=HBBI", self.code, self.then, self.otherwise, self.value)


def _build_program(architecture: Architecture) -> list[_FilterStep]:
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
