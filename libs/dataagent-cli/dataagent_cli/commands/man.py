"""`dataagent man`: the manual page of all commands."""

import click


@click.command()
@click.pass_context
def man(ctx: click.Context) -> None:
    """Show the manual page; without a terminal, print its source.

    `dataagent man > dataagent.1` writes the file that a package installs.
    """
    import shutil
    import subprocess
    import sys

    from dataagent_cli.help.manual import manual_page

    page = manual_page(ctx.find_root().command)
    viewer = shutil.which("man") if sys.stdout.isatty() else None
    if viewer is None:
        click.echo(page, nl=False)
    else:
        subprocess.run([viewer, "-l", "-"], input=page.encode(), check=False)  # noqa: S603 (found on the person's own path)
