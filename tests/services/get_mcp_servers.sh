#!/bin/sh
# Other people's MCP servers from PyPI, each in an environment of its own under .venv/services/mcp:
# they need not agree with us, or with each other, on versions.
set -eu
here="$(cd "$(dirname "$0")" && pwd)"
venv="$(cd "$here/../../.venv" && pwd)"
for list in "$here"/mcp_servers/*.txt; do
    name="$(basename "$list" .txt)"
    target="$venv/services/mcp/$name"
    if [ -x "$target/bin/mcp-server-$name" ] && cmp -s "$list" "$target/requirements.txt"; then continue; fi
    "$venv/bin/uv" venv --quiet --clear --python "$venv/bin/python" "$target"
    "$venv/bin/uv" pip install --quiet --python "$target/bin/python" --requirement "$list"
    cp "$list" "$target/requirements.txt"
done
