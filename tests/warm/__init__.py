"""Real processes of our programs that start in milliseconds: forked from one that has imported them.

Importing is most of what a short `dataagent` costs. `process.py` (the zygote) imports everything
once; each start forks it and runs the program's own `main` with the arguments, environment, folder
and standard streams of a new process. `popen.py` asks for one and behaves like `subprocess.Popen`.

Not for tests of the start itself (imports, entry points, encodings of a bare environment): those
start the installed program with `subprocess`.
"""
