"""Every slash command by its name; `user_commands.py` adds those of the person and project.

Nothing heavy is imported here: the prompt is drawn before the engine is loaded.
"""

from dataagent_cli.repl.commands import (
    basic,
    cost,
    export,
    files,
    memory,
    model,
    outside,
    plan,
    rate,
    sessions,
    skills,
    tools,
)
from dataagent_cli.repl.commands.command import Command, Run

_LISTED: tuple[tuple[str, Run, str], ...] = (
    ("model", model.model, "[NAME]"),
    ("tools", tools.tools, ""),
    ("skills", skills.skills, "[NAME] [TASK]"),
    ("agents", skills.agents, "[NAME]"),
    ("mcp", outside.mcp, "[...]"),
    ("sources", outside.sources, "[...]"),
    ("permissions", outside.permissions, "[...]"),
    ("patterns", outside.patterns, "[...]"),
    ("context", cost.context, ""),
    ("compact", basic.compact, "[WHAT TO KEEP]"),
    ("cost", cost.cost, ""),
    ("diff", files.diff, "[N]"),
    ("undo", files.undo, ""),
    ("rewind", files.rewind, "[N] [both|conversation|files]"),
    ("fork", sessions.fork, "[N]"),
    ("resume", sessions.resume, "[SESSION]"),
    ("search", sessions.search, "WORDS"),
    ("rename", sessions.rename, "TITLE"),
    ("export", export.export, "[md|html|json] [FILE]"),
    ("doctor", basic.doctor, ""),
    ("clear", sessions.clear, ""),
)

COMMANDS: dict[str, Command] = {
    command.name: command
    for command in (
        Command("help", "repl_command.help", basic.show_help, waits=False),
        Command("quit", "repl_command.quit", basic.leave, waits=False),
        Command(
            "mode",
            "repl_command.mode",
            basic.change_mode,
            waits=False,
            arguments="[ask|plan|auto]",
            words=basic.MODES,
        ),
        Command(
            "plan",
            "repl_command.plan",
            plan.plan,
            arguments="[show|edit|skip|move|add|assign ...]",
            words=("show", "edit", "skip", "move", "add", "assign"),
        ),
        Command(
            "rate",
            "repl_command.rate",
            rate.rate,
            arguments="good|bad|none [WHAT SHOULD HAVE BEEN DIFFERENT]",
            words=("good", "bad", "none"),
        ),
        Command(
            "memory",
            "repl_command.memory",
            memory.memory,
            arguments="[wrong N [WHAT IS TRUE]|forget N|add ...|list|search ...|on|off]",
            words=memory.WORDS,
        ),
        Command("unfold", "repl_command.unfold", basic.unfold, waits=False, arguments="[N]"),
        *(Command(name, f"repl_command.{name}", run, arguments=a) for name, run, a in _LISTED),
    )
}
