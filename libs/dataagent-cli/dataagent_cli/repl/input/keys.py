"""The key bindings; everything else is prompt_toolkit's usual editing."""

from typing import Protocol

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.filters import Condition, has_completions, has_focus
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from dataagent_cli.repl.input.stop_keys import Key


class KeyHandlers(Protocol):
    """What the shell does when keys are pressed."""

    def send_input(self) -> None:
        """Send the text of the input."""
        ...

    def submit_answer(self) -> None:
        """Submit the answer line."""
        ...

    def press_key(self, key: Key) -> None: ...

    def paste(self, text: str) -> None: ...

    def paste_picture(self) -> None:
        """Insert the name of the clipboard's picture into the input."""
        ...

    def next_mode(self) -> None: ...

    def take_back(self) -> bool:
        """Take a queued message back into the empty input, if there is one."""
        ...

    def unfold_last(self) -> None:
        """Show the last shortened item in full."""
        ...


def build_keys(handles: KeyHandlers, draft: Buffer, answer: Buffer) -> KeyBindings:
    """Bind the keys."""
    keys = KeyBindings()
    _bind_writing(keys, handles, draft)
    _bind_both(keys, handles, draft, answer)

    @keys.add("enter", filter=has_focus(answer))
    def _answer(event: KeyPressEvent) -> None:
        del event
        handles.submit_answer()

    return keys


def _bind_writing(keys: KeyBindings, handles: KeyHandlers, draft: Buffer) -> None:
    in_draft = has_focus(draft)

    @keys.add("enter", filter=in_draft)
    def _enter(event: KeyPressEvent) -> None:
        state, written = draft.complete_state, draft.document
        if state is not None and state.current_completion is not None:
            draft.complete_state = None
        elif written.char_before_cursor == "\\" and written.is_cursor_at_the_end_of_line:
            draft.delete_before_cursor()
            draft.insert_text("\n")
        else:
            handles.send_input()
        event.app.invalidate()

    @keys.add("escape", "enter", filter=in_draft)
    @keys.add("c-j", filter=in_draft)
    def _new_line(event: KeyPressEvent) -> None:
        del event
        draft.insert_text("\n")

    @keys.add("tab", filter=in_draft & ~has_completions)
    def _complete(event: KeyPressEvent) -> None:
        del event
        draft.start_completion(select_first=True)

    @keys.add("up", filter=in_draft & Condition(lambda: not draft.text))
    def _up(event: KeyPressEvent) -> None:
        del event
        if not handles.take_back():
            draft.auto_up()

    @keys.add(Keys.BracketedPaste, filter=in_draft)
    def _paste(event: KeyPressEvent) -> None:
        handles.paste(event.data)

    @keys.add("c-v", filter=in_draft)
    def _paste_picture(event: KeyPressEvent) -> None:
        del event
        handles.paste_picture()


def _bind_both(keys: KeyBindings, handles: KeyHandlers, draft: Buffer, answer: Buffer) -> None:
    ours = has_focus(draft) | has_focus(answer)

    @keys.add("s-tab", filter=ours & ~has_completions)
    def _mode(event: KeyPressEvent) -> None:
        del event
        handles.next_mode()

    @keys.add("c-o", filter=ours)
    def _unfold(event: KeyPressEvent) -> None:
        del event
        handles.unfold_last()

    @keys.add("escape", filter=ours)
    def _escape(event: KeyPressEvent) -> None:
        del event
        handles.press_key("escape")

    # A key in raw mode; a signal while another program has the terminal.
    @keys.add("c-c", filter=ours)
    @keys.add(Keys.SIGINT)
    def _ctrl_c(event: KeyPressEvent) -> None:
        del event
        handles.press_key("ctrl_c")

    @keys.add("c-z", filter=ours)
    def _ctrl_z(event: KeyPressEvent) -> None:
        event.app.suspend_to_background()

    @keys.add("c-d", filter=ours)
    def _ctrl_d(event: KeyPressEvent) -> None:
        del event
        handles.press_key("ctrl_d")
