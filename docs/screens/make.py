"""Makes the pictures of the README from real runs: `python docs/screens/make.py [SCENE ...]`.

The real `dataagent` in a real terminal (tmux), in a home and a workspace of its own with the sample
warehouse, asking a scripted model over HTTP. Needs tmux; what the pictures show is `scenes.py`.
"""

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "libs/dataagent-cli/tests/support")]

from picture import picture  # noqa: E402 (its folder is known only now)
from scenes import FILES, SCENES, Scene  # noqa: E402
from tmux_terminal import tmux_terminal  # noqa: E402

from dataagent_core.permissions.rule_files.trust import trust  # noqa: E402
from dataagent_core.testing import Script, ScriptedEndpoint  # noqa: E402
from dataagent_core.tools.data.sample import make_shop  # noqa: E402

COLUMNS, ROWS = 100, 30
DATAAGENT = Path(sys.executable).with_name("dataagent")
READY = "Shift-Tab"


def main(names: Sequence[str]) -> None:
    """Draw the scenes that are named, or all."""
    with tempfile.TemporaryDirectory(prefix="dataagent-screens-") as folder:
        home, workspace = Path(folder), Path(folder) / "shop-analysis"
        make_shop(workspace / "shop")
        for path, text in FILES.items():
            (workspace / path).write_text(text, encoding="utf-8")
        trust(home / ".dataagent", workspace)
        for scene in SCENES:
            if not names or scene.name in names:
                captured = screen_of(scene, home, workspace)
                svg = picture(captured, name=scene.name, title=scene.title, columns=COLUMNS)
                (HERE / f"{scene.name}.svg").write_text(svg, encoding="utf-8")
                sys.stdout.write(f"docs/screens/{scene.name}.svg\n")


def screen_of(scene: Scene, home: Path, workspace: Path) -> str:
    """Play a scene, and give the screen with its colours."""
    script = Script.model_validate({"scripts": [scene.scenario]})
    with ScriptedEndpoint(script) as endpoint:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "DATAAGENT_HOME": str(home / ".dataagent"),
            "DATAAGENT_MODEL": "openai:scripted",
            "OPENAI_BASE_URL": endpoint.base_url,
        }
        with tmux_terminal(
            [DATAAGENT], environment=environment, cwd=workspace, columns=COLUMNS, rows=ROWS
        ) as terminal:
            terminal.until(READY)
            for key in scene.keys:
                terminal.keys(key)
            if scene.shown_after_keys:
                terminal.until(scene.shown_after_keys)
            terminal.enter(scene.typed)
            terminal.until(scene.shown)
            return terminal.screen(colours=True)


if __name__ == "__main__":
    main(sys.argv[1:])
