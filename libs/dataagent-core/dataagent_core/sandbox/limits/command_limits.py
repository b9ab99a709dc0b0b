"""What one command may use, and the part of it that the kernel counts per process.

Totals over the process tree are the watchdog's (`watchdog.py`): RLIMIT_DATA and RLIMIT_FSIZE hold
for each process and file alone, RLIMIT_NPROC not at all for root.
"""

import resource
from dataclasses import dataclass, replace

from dataagent_core.config import limits
from dataagent_core.sandbox.files.workspace_quota import QuotaUsage

_OPTIONS = {
    resource.RLIMIT_DATA: "data",
    resource.RLIMIT_NPROC: "nproc",
    resource.RLIMIT_CPU: "cpu",
    resource.RLIMIT_FSIZE: "fsize",
    resource.RLIMIT_NOFILE: "nofile",
    resource.RLIMIT_CORE: "core",
}


@dataclass(frozen=True, slots=True)
class CommandLimits:
    """What one command may use."""

    memory_bytes: int = limits.SANDBOX_MEMORY_BYTES_MAX
    processes: int = limits.SANDBOX_PROCESSES_MAX
    cpu_s: int = limits.SANDBOX_CPU_S_MAX
    file_bytes: int = limits.SANDBOX_FILE_BYTES_MAX
    open_files: int = limits.SANDBOX_OPEN_FILES_MAX
    disk_growth_bytes: int = limits.SANDBOX_DISK_GROWTH_BYTES_MAX
    # Files and folders a command may add, in the workspace and in each file system of its own.
    new_files: int = limits.SANDBOX_NEW_FILES_MAX
    # With a quota: what the workspace held before, and may hold.
    usage: QuotaUsage | None = None
    tmp_bytes: int = limits.SANDBOX_TMP_BYTES_MAX
    shm_bytes: int = limits.SANDBOX_SHM_BYTES_MAX
    output_kept_bytes: int = limits.SANDBOX_OUTPUT_KEPT_BYTES_MAX
    output_total_bytes: int = limits.SANDBOX_OUTPUT_TOTAL_BYTES_MAX
    # How often the totals are checked; this costs time in a program that runs for days.
    watch_interval_s: float = limits.SANDBOX_WATCH_INTERVAL_S


def narrow_limits(limits: CommandLimits, usage: QuotaUsage) -> CommandLimits:
    """Narrow the limits of a command to what its workspace still takes."""
    growth_bytes = min(limits.disk_growth_bytes, usage.free_bytes)
    new_files = min(limits.new_files, usage.free_files)
    return replace(limits, disk_growth_bytes=growth_bytes, new_files=new_files, usage=usage)


def list_rlimits(limits: CommandLimits) -> dict[int, int]:
    """List the kernel's own limits. Not AS: Java and node reserve far more than they use."""
    return {
        resource.RLIMIT_DATA: limits.memory_bytes,
        resource.RLIMIT_NPROC: limits.processes,
        resource.RLIMIT_CPU: limits.cpu_s,
        resource.RLIMIT_FSIZE: limits.file_bytes,
        resource.RLIMIT_NOFILE: limits.open_files,
        resource.RLIMIT_CORE: 0,
    }


def apply_rlimits(pid: int, limits: CommandLimits) -> None:
    """Set them on a process of our own user that has not begun yet."""
    for kind, wanted in list_rlimits(limits).items():
        value = _clamp_to_hard_limit(pid, kind, wanted)
        resource.prlimit(pid, kind, (value, value))


def build_rlimit_command(limits: CommandLimits) -> list[str]:
    """Give the words before a command that set them; another user's process cannot be changed."""
    values = (
        (kind, _clamp_to_hard_limit(0, kind, wanted))
        for kind, wanted in list_rlimits(limits).items()
    )
    return ["prlimit", *(f"--{_OPTIONS[kind]}={value}" for kind, value in values)]


def _clamp_to_hard_limit(pid: int, kind: int, wanted: int) -> int:
    _, hard = resource.prlimit(pid, kind)
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
