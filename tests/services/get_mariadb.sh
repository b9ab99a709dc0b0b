#!/bin/sh
# Unpack Debian's MariaDB server into .venv/services/mariadb: nothing is installed, no daemon starts.
set -eu
target="$(dirname "$0")/../../.venv/services/mariadb"
if [ -x /usr/sbin/mariadbd ] || [ -x "$target/usr/sbin/mariadbd" ]; then exit 0; fi
command -v apt-get >/dev/null || exit 1

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd_target="$(mkdir -p "$target" && cd "$target" && pwd)"
cd "$work"
apt-cache show mariadb-server-core >/dev/null 2>&1 || apt-get update -qq
# The server, and of the libraries it needs those this machine lacks.
packages=mariadb-server-core
for library in $(apt-cache depends --no-recommends --no-suggests mariadb-server-core |
                 sed -n 's/^ *Depends: \(lib[^ ]*\)$/\1/p'); do
    dpkg-query -W -f '${Status}' "$library" 2>/dev/null | grep -q 'ok installed' || packages="$packages $library"
done
# Package lists may be older than what the mirror still has.
apt-get -qq download $packages 2>/dev/null || { apt-get update -qq && apt-get -qq download $packages; }
for package in *.deb; do dpkg -x "$package" "$cd_target"; done
