"""Real projects in Python, Node and Go, made from packages pinned here, and a registry for them."""

import base64
import hashlib
import io
import json
import subprocess
import tarfile
import threading
import zipfile
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import distribution
from pathlib import Path

# As installed beside these tests, at the versions of uv.lock.
PYTEST = ("pytest", "pluggy", "iniconfig", "packaging", "pygments")


def wheel_of(name: str) -> tuple[str, bytes]:
    """Pack an installed distribution as the wheel it came from; give its file name and bytes."""
    found = distribution(name)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for file in found.files or []:
            located = Path(str(found.locate_file(file)))
            inside = not str(file).startswith("..") and "__pycache__" not in str(file)
            if inside and located.is_file() and located.name != "RECORD":
                archive.write(located, str(file))
        record = next(file for file in found.files or [] if file.name == "RECORD")
        archive.writestr(str(record), "")
    spelled = name.replace("-", "_")
    return f"{spelled}-{found.version}-py3-none-any.whl", packed.getvalue()


def virtual_environment(folder: Path, python: Path, *names: str) -> Path:
    """Make a virtual environment of another Python that holds some distributions."""
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
    (packages,) = folder.glob("lib/python3*/site-packages")
    for name in names:
        with zipfile.ZipFile(io.BytesIO(wheel_of(name)[1])) as wheel:
            wheel.extractall(packages)
    return folder


def node_package(name: str, version: str, code: str) -> bytes:
    """Pack a Node package."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        files = {
            "package.json": json.dumps({"name": name, "version": version, "main": "index.js"}),
            "index.js": code,
        }
        for path, content in files.items():
            entry = tarfile.TarInfo(f"package/{path}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content.encode()))
    return packed.getvalue()


def go_module(downloaded: Path, name: str, version: str, code: str) -> None:
    """Put a module where Go keeps what it has downloaded."""
    folder = downloaded / name / "@v"
    folder.mkdir(parents=True)
    (folder / "list").write_text(f"{version}\n")
    (folder / f"{version}.info").write_text(json.dumps({"Version": version}))
    (folder / f"{version}.mod").write_text(f"module {name}\n")
    with zipfile.ZipFile(folder / f"{version}.zip", "w") as archive:
        archive.writestr(f"{name}@{version}/go.mod", f"module {name}\n")
        archive.writestr(f"{name}@{version}/tiny.go", code)


class Registry:
    """Serves wheels as an index of Python packages, and Node packages, on the loopback."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.asked: list[str] = []
        self._files: dict[str, tuple[str, bytes]] = {}

    def add_wheel(self, name: str) -> None:
        file, data = wheel_of(name)
        self._files[f"/files/{file}"] = ("application/octet-stream", data)
        page = f'<a href="/files/{file}">{file}</a>'
        self._files[f"/simple/{name}/"] = ("text/html", page.encode())

    def add_node(self, name: str, version: str, code: str) -> None:
        data = node_package(name, version, code)
        tarball = f"/{name}/-/{name}-{version}.tgz"
        self._files[tarball] = ("application/octet-stream", data)
        digest = base64.b64encode(hashlib.sha512(data).digest()).decode()
        dist = {"integrity": f"sha512-{digest}", "tarball": f"http://{self.address}{tarball}"}
        described = {"name": name, "version": version, "dist": dist}
        document = {
            "name": name,
            "dist-tags": {"latest": version},
            "versions": {version: described},
        }
        self._files[f"/{name}"] = ("application/json", json.dumps(document).encode())

    def answer(self, path: str) -> tuple[str, bytes] | None:
        self.asked.append(path)
        return self._files.get(path)


@contextmanager
def loopback_registry() -> Generator[Registry]:
    """Serve a registry for as long as it is needed."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = registry.answer(self.path)
            self.send_response(200 if found else 404)
            kind, data = found or ("text/plain", b"")
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (its name)
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    registry = Registry(f"127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield registry
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
