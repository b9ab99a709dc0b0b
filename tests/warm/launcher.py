"""A program for a terminal: has the zygote run the real one there, or runs it itself.

Started as `python -I -S launcher.py SOCKET PROGRAM ARGUMENTS...` in the terminal. Taking over a
terminal needs root; anybody else's launcher becomes the program. Killing the launcher kills it too.
"""

import json
import os
import signal
import socket
import sys


def main() -> None:
    address, *command = sys.argv[1:]
    request = {"command": command, "environment": dict(os.environ), "folder": os.getcwd()}  # noqa: PTH109
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address)
        line = json.dumps(request).encode() + b"\n"
        sent = socket.send_fds(connection, [line], [0, 1, 2])
        connection.sendall(line[sent:])
        answers = connection.makefile("rb")
        pid = int(answers.readline() or 0)
        if not pid:
            os.execv(command[0], command)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, lambda number, _: os.kill(pid, number))
        code = os.waitstatus_to_exitcode(int(answers.readline()))
    if code < 0:
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    main()
