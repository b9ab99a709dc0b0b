#!/bin/sh
# Run a command with a /tmp of its own in memory, which is gone when it ends.
#
# Tests make and remove hundreds of thousands of small files, and databases that write through to
# the disk: on ext4 more than half of their time was the kernel's. A mount namespace needs root;
# without it, or without memory to spare, the command runs as it is.
set -eu
MEMORY_KIB_MIN=8388608

available_kib=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB$/\1/p' /proc/meminfo 2>/dev/null || true)
if [ "$(id -u)" = 0 ] && [ "${available_kib:-0}" -ge "$MEMORY_KIB_MIN" ] && unshare --mount true 2>/dev/null; then
    # shellcheck disable=SC2016 # the inner shell expands it
    exec unshare --mount sh -c 'mount -t tmpfs -o mode=1777,size=50% tmpfs /tmp && exec "$@"' sh "$@"
fi
exec "$@"
