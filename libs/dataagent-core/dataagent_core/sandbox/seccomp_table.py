"""The system calls a command in the sandbox has no use for, by number, for two architectures.

Each reaches deep into the kernel (io_uring, bpf, userfaultfd, perf), makes namespaces and mounts,
or looks into other processes and keys. They fail with EPERM, as without the privilege.
"""

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Architecture:
    """What a filter must know of one architecture."""

    audit_id: int
    blocked: tuple[int, ...]
    clone: int
    clone3: int
    socket: int
    fcntl: int
    # timer_create, mq_notify
    own_signals: tuple[int, ...]


_NUMBERS = list(_BLOCKED.values())
ARCHITECTURES: dict[str, Architecture] = {
    "x86_64": Architecture(
        0xC000003E, tuple(x86 for x86, _ in _NUMBERS), 56, 435, 41, 72, (222, 244)
    ),
    "aarch64": Architecture(
        0xC00000B7, tuple(arm for _, arm in _NUMBERS if arm >= 0), 220, 435, 198, 25, (107, 184)
    ),
}
