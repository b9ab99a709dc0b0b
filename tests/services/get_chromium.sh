#!/bin/sh
# Debian's Chromium without a window and a font with Chinese characters, for the tests of the console.
# A Chromium with a window serves too.
set -eu
PATH="$PATH:/usr/bin"
there=yes
packages=""
command -v chromium-headless-shell >/dev/null || packages="chromium-headless-shell"
[ -z "$packages" ] || command -v chromium >/dev/null || there=no
[ -n "$(fc-list :lang=zh 2>/dev/null)" ] || packages="$packages fonts-noto-cjk"
[ -n "$packages" ] || exit 0

# Without the font Chinese is boxes in pictures, which fails no test: only Chromium must be there.
give_up() {
    echo "$1 As root: apt-get install --no-install-recommends $packages" >&2
    [ "$there" = yes ] && exit 0 || exit 1
}
command -v apt-get >/dev/null || give_up "The tests of the console lack packages."
[ "$(id -u)" -eq 0 ] || give_up "The tests of the console lack packages, and only root installs them."
# Word splitting is wanted: one argument for each package.
install="apt-get install -qq -y --no-install-recommends $packages"
# Package lists may be older than what the mirror still has.
$install >/dev/null 2>&1 || { apt-get update -qq && $install >/dev/null; } ||
    give_up "The packages could not be installed."
