"""The program inside the sandbox: runs pieces of Python one after another in one namespace.

It is sent as text and stands alone. A JSON object a line on standard input: `{"id": 1, "code": ""}`
or `{"interrupt": 1}`; one line back for each piece. The pieces' own output, also of programs they
start, goes to a file and is part of the answer.
"""
# It looks at every file twice for each piece, and pathlib is many times slower:
# ruff: noqa: PTH103, PTH109, PTH110, PTH116, PTH118, PTH123

import ast
import contextlib
import json
import linecache
import os
import queue
import signal
import sys
import threading
import traceback
from typing import Any, TextIO

OUTPUT_CHARS_MAX = int(os.environ.get("DATAAGENT_OUTPUT_CHARS", "50000"))
VALUE_CHARS_MAX = int(os.environ.get("DATAAGENT_VALUE_CHARS", "10000"))
FILES_MAX = int(os.environ.get("DATAAGENT_FILES_MAX", "20000"))
PLOTS_MAX = int(os.environ.get("DATAAGENT_PLOTS_MAX", "20"))
PLOTS_FOLDER = "plots"
# Nobody looks for what Python made in these.
PASSED_OVER = {"__pycache__", ".git", ".dataagent", "node_modules"}

Stamp = tuple[int, int]


def cut(text: str, chars_max: int) -> str:
    """Keep both ends of a long text."""
    if len(text) <= chars_max:
        return text
    half = chars_max // 2
    return f"{text[:half]}\n... ({len(text) - 2 * half} characters left out) ...\n{text[-half:]}"


def files_below(root: str) -> dict[str, Stamp]:
    """Stamp the files of the workspace; what is mounted below is not the workspace's."""
    found: dict[str, Stamp] = {}
    device = os.stat(root).st_dev
    folders = [""]
    while folders and len(found) < FILES_MAX:
        folder = folders.pop()
        with contextlib.suppress(OSError), os.scandir(os.path.join(root, folder)) as entries:
            for entry in entries:
                path = os.path.join(folder, entry.name)
                with contextlib.suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    if entry.is_dir(follow_symlinks=False):
                        if status.st_dev == device and entry.name not in PASSED_OVER:
                            folders.append(path)
                    elif entry.is_file(follow_symlinks=False):
                        found[path] = (status.st_mtime_ns, status.st_size)
    return found


def save_plots(root: str) -> list[str]:
    """Save what matplotlib has open, if the code used it, and close it."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return []
    saved: list[str] = []
    for number in pyplot.get_fignums()[:PLOTS_MAX]:
        os.makedirs(os.path.join(root, PLOTS_FOLDER), exist_ok=True)
        path = free_name(root)
        pyplot.figure(number).savefig(os.path.join(root, path), format="png")
        saved.append(path)
    pyplot.close("all")
    return saved


def free_name(root: str) -> str:
    """Find a name for a plot that is not taken."""
    number = 1
    while os.path.exists(os.path.join(root, PLOTS_FOLDER, f"plot-{number}.png")):
        number += 1
    return os.path.join(PLOTS_FOLDER, f"plot-{number}.png")


class Namespace:
    """What the pieces share."""

    def __init__(self) -> None:
        self._names: dict[str, Any] = {"__name__": "__main__", "__builtins__": __builtins__}

    def run(self, code: str, number: int) -> str | None:
        """Run a piece; give its last expression's value as text."""
        name = f"<piece {number}>"
        linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
        tree = ast.parse(code, name)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, "exec"), self._names)  # noqa: S102 - what it is for
        if not isinstance(last, ast.Expr):
            return None
        value = eval(compile(ast.Expression(last.value), name, "eval"), self._names)  # noqa: S307
        self._names["_"] = value
        return None if value is None else cut(repr(value), VALUE_CHARS_MAX)


class Kernel:
    """Takes pieces from a pipe and answers them in order."""

    def __init__(self) -> None:
        self._root = os.getcwd()
        self._requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
        self._answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
        self._pieces: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._running: int | None = None
        self._namespace = Namespace()
        self._output = self._redirect()

    def _redirect(self) -> TextIO:
        nothing = os.open(os.devnull, os.O_RDONLY)
        output = open("/tmp/.output", "w+", encoding="utf-8", errors="replace")  # noqa: S108, SIM115
        os.dup2(nothing, 0)
        # Appending: what is written stays in order, whoever of the two writes it.
        appending = os.open("/tmp/.output", os.O_WRONLY | os.O_APPEND)  # noqa: S108
        os.dup2(appending, 1)
        os.dup2(appending, 2)
        return output

    def serve(self) -> None:
        """Answer until the pipe is closed."""
        threading.Thread(target=self._listen, daemon=True).start()
        while True:
            try:
                piece = self._pieces.get()
            except KeyboardInterrupt:  # meant for a piece that has just ended
                continue
            if piece is None:
                return
            answer = self._answer(piece["id"], piece["code"])
            self._answers.write(json.dumps(answer) + "\n")
            self._answers.flush()

    def _listen(self) -> None:
        for line in self._requests:
            request = json.loads(line)
            if "interrupt" not in request:
                self._pieces.put(request)
            elif request["interrupt"] == self._running:
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        self._pieces.put(None)

    def _answer(self, number: int, code: str) -> dict[str, Any]:
        # A piece before may have changed it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        before = files_below(self._root)
        answer: dict[str, Any] = {"id": number, "value": None, "error": None, "plots": []}
        try:
            self._running = number
            try:
                answer["value"] = self._namespace.run(code, number)
                answer["plots"] = save_plots(self._root)
            finally:
                self._running = None
        except KeyboardInterrupt:
            answer["error"] = "KeyboardInterrupt"
        except BaseException as error:  # noqa: BLE001 - SystemExit too: the kernel goes on
            trace = error.__traceback__
            # The first frames are ours.
            while trace is not None and not trace.tb_frame.f_code.co_filename.startswith("<piece"):
                trace = trace.tb_next
            lines = traceback.format_exception(type(error), error, trace)
            answer["error"] = cut("".join(lines), OUTPUT_CHARS_MAX)
        answer["output"] = self._take_output()
        after = files_below(self._root)
        answer["files"] = sorted(path for path, stamp in after.items() if before.get(path) != stamp)
        return answer

    def _take_output(self) -> str:
        sys.stdout.flush()
        sys.stderr.flush()
        self._output.seek(0)
        # A little more than is kept, so that the cut is seen; the rest is not read at all.
        size = os.fstat(self._output.fileno()).st_size
        text = self._output.read(OUTPUT_CHARS_MAX // 2 + 1)
        if size > OUTPUT_CHARS_MAX:
            self._output.buffer.seek(size - OUTPUT_CHARS_MAX // 2)
            end = self._output.buffer.read().decode("utf-8", "replace")
            text = f"{text}\n... ({size - OUTPUT_CHARS_MAX} bytes left out) ...\n{end}"
        else:
            text += self._output.read()
        os.ftruncate(self._output.fileno(), 0)
        return text


if __name__ == "__main__":
    Kernel().serve()
