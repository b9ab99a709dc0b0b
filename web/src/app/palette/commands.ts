/** The one registry of commands: the palette lists them, keys run them, `?` shows the keys. */
import { useEffect, useRef } from "react";
import { create } from "zustand";

export interface Command {
  id: string;
  title: string;
  hint?: string;
  group: string;
  /** `mod+k`, `shift+?`, `mod+shift+o`; mod is Command on a Mac, Control elsewhere. */
  keys?: string;
  run: () => void;
}

interface Registry {
  commands: Record<string, Command>;
  paletteOpen: boolean;
  helpOpen: boolean;
  add: (commands: Command[]) => void;
  remove: (ids: string[]) => void;
  show: (what: "palette" | "help" | null) => void;
}

export const useCommandRegistry = create<Registry>()((set) => ({
  commands: {},
  paletteOpen: false,
  helpOpen: false,
  add: (commands) =>
    set((state) => ({
      commands: { ...state.commands, ...Object.fromEntries(commands.map((c) => [c.id, c])) },
    })),
  remove: (ids) =>
    set((state) => ({
      commands: Object.fromEntries(
        Object.entries(state.commands).filter(([id]) => !ids.includes(id)),
      ),
    })),
  show: (what) => set({ paletteOpen: what === "palette", helpOpen: what === "help" }),
}));

/** Offers commands while a component is shown; what they do is always the newest. */
export function useCommands(commands: Command[]): void {
  const newest = useRef(commands);
  newest.current = commands;
  const shown = commands.map((c) => `${c.id} ${c.title} ${c.keys ?? ""}`).join("\n");
  useEffect(() => {
    const { add, remove } = useCommandRegistry.getState();
    const ids = newest.current.map((command) => command.id);
    add(
      newest.current.map((command) => ({
        ...command,
        run: () => newest.current.find((each) => each.id === command.id)?.run(),
      })),
    );
    return () => remove(ids);
  }, [shown]);
}

const isMac = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);

export function keysOf(event: KeyboardEvent): string {
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const parts = [mod && "mod", event.shiftKey && "shift", event.altKey && "alt"].filter(Boolean);
  return [...parts, event.key.toLowerCase()].join("+");
}

/** Shows keys as they are printed on this machine's keyboard. */
export function keyLabels(keys: string): string[] {
  return keys.split("+").map((key) => {
    if (key === "mod") return isMac ? "⌘" : "Ctrl";
    if (key === "shift") return isMac ? "⇧" : "Shift";
    if (key === "alt") return isMac ? "⌥" : "Alt";
    if (key === "escape") return "Esc";
    return key.length === 1 ? key.toUpperCase() : key;
  });
}

/** A key without Control or Command is a letter in a text field. */
export function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}
