#!/bin/sh
# Run a command with a /tmp of its own in memory, which is gone when it ends.
#
# Tests make and remove hundreds of thousands of small files, and databases that write through to
# the disk: on ext4 more than half of their time was the kernel's. A mount namespace needs root;
# without it, without memory to spare, or where this checkout or its Python lies below /tmp, the
# command runs as it is.
set -eu
MEMORY_KIB_MIN=8388608

mount_tmp='mount -t tmpfs -o mode=1777,size=50% tmpfs /tmp'
needed="$(pwd -P) $(readlink -f .venv/bin/python 2>/dev/null || true) ${HOME:-}"

available_kib=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB$/\1/p' /proc/meminfo 2>/dev/null || true)
case " $needed" in *" /tmp"*) exec "$@" ;; esac
if [ "$(id -u)" = 0 ] && [ "${available_kib:-0}" -ge "$MEMORY_KIB_MIN" ] &&
    unshare --mount sh -c "$mount_tmp" 2>/dev/null; then
    exec unshare --mount sh -c "$mount_tmp"' && exec "$@"' sh "$@"
fi
exec "$@"
