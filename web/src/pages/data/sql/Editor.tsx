/** A box for SQL: a plain textarea that knows where its cursor is. */
import { useLayoutEffect, useRef, type KeyboardEvent } from "react";
import { keysOf } from "@/app/palette/commands";
import { useTexts } from "@/i18n";
import { texts } from "@/pages/data/sql/texts";
import "@/pages/data/sql/sql.css";

const INDENT = "  ";

interface Props {
  value: string;
  cursor: number;
  change: (value: string, cursor: number) => void;
  run: () => void;
}

export function Editor({ value, cursor, change, run }: Props) {
  const t = useTexts(texts);
  const box = useRef<HTMLTextAreaElement>(null);
  // After Esc the next Tab leaves the editor, so that keyboard users are not trapped.
  const leaving = useRef(false);
  useLayoutEffect(() => {
    const { current } = box;
    if (current && document.activeElement === current && current.selectionStart !== cursor) {
      current.setSelectionRange(cursor, cursor);
    }
  }, [cursor, value]);
  const pressed = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (keysOf(event.nativeEvent) === "mod+enter") {
      event.preventDefault();
      run();
    } else if (event.key === "Escape") {
      leaving.current = true;
    } else if (event.key === "Tab" && !event.shiftKey && !leaving.current) {
      event.preventDefault();
      const { selectionStart: from, selectionEnd: to } = event.currentTarget;
      change(value.slice(0, from) + INDENT + value.slice(to), from + INDENT.length);
    } else if (event.key !== "Tab") {
      leaving.current = false;
    }
  };
  const moved = () => {
    const { current } = box;
    if (current && current.selectionStart === current.selectionEnd && current.selectionStart !== cursor) {
      change(value, current.selectionStart);
    }
  };
  return (
    <textarea
      ref={box}
      className="sql-editor"
      aria-label={t("editor")}
      aria-describedby="sql-keys"
      placeholder={t("placeholder")}
      spellCheck={false}
      autoCapitalize="off"
      autoCorrect="off"
      rows={Math.min(18, Math.max(7, value.split("\n").length + 1))}
      value={value}
      onChange={(event) => change(event.target.value, event.target.selectionStart)}
      onKeyDown={pressed}
      onKeyUp={moved}
      onClick={moved}
    />
  );
}
