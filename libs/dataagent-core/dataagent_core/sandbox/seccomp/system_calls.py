"""The system calls a command in the sandbox may not use, by number, for two architectures."""

from dataclasses import dataclass

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

# Allowed with some arguments only (`seccomp_filter.py`).
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


@dataclass(frozen=True, slots=True)
class Architecture:
    """What a filter must know of one architecture."""

    audit_id: int
    blocked: tuple[int, ...]
    missing: tuple[int, ...]
    # By name, those whose arguments are looked at.
    checked: dict[str, int]


def _architecture(audit_id: int, column: int) -> Architecture:
    def numbers(calls: dict[str, tuple[int, int]]) -> dict[str, int]:
        return {name: both[column] for name, both in calls.items() if both[column] >= 0}

    return Architecture(
        audit_id,
        tuple(numbers(_BLOCKED).values()),
        tuple(numbers(_MISSING).values()),
        numbers(_CHECKED),
    )


ARCHITECTURES: dict[str, Architecture] = {
    "x86_64": _architecture(0xC000003E, 0),
    "aarch64": _architecture(0xC00000B7, 1),
}
