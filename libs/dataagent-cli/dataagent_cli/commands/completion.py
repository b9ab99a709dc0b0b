"""`dataagent completion`: the script that lets a shell's Tab key complete our commands."""

import click

from dataagent_cli.messages.program_name import NAME

# `\b` keeps click from joining the lines.
_HELP = """Print a shell's completion script.

\b
bash:  echo 'source <(dataagent completion bash)' >> ~/.bashrc
zsh:   echo 'source <(dataagent completion zsh)' >> ~/.zshrc
fish:  dataagent completion fish > ~/.config/fish/completions/dataagent.fish
"""


@click.command(help=_HELP)
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script."""
    from dataagent_cli.help.completion_scripts import script_for

    click.echo(script_for(shell, ctx.find_root().command, NAME), nl=False)
