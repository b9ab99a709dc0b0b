/** What was typed in an editor and is not saved: it outlives the page, in this browser, for this person. */
import { useRef, useState } from "react";
import { keptFor, keptNames } from "@/app/state/kept";

const UNSAVED_MAX = 30;
const PREFIX = "unsaved.";

interface Kept<T> {
  value: T;
  at: number;
}

const storage = keptFor<Kept<unknown>>(() => localStorage);

function read<T>(name: string): Kept<T> | null {
  try {
    const found = storage?.getItem(PREFIX + name) as { state: Kept<T> } | null;
    return found?.state ?? null;
  } catch {
    return null; // not ours, or an older form of it
  }
}

/** The oldest make room. */
function makeRoom(name: string): void {
  const others = keptNames(localStorage, PREFIX).filter((each) => each !== name);
  const surplus = others.length - UNSAVED_MAX + 1;
  if (surplus <= 0) return;
  const ages = new Map(others.map((each) => [each, read(each)?.at ?? 0]));
  const oldest = others.toSorted((a, b) => (ages.get(a) ?? 0) - (ages.get(b) ?? 0));
  for (const each of oldest.slice(0, surplus)) void storage?.removeItem(PREFIX + each);
}

function write<T>(name: string, value: T | null): boolean {
  try {
    if (value === null) void storage?.removeItem(PREFIX + name);
    else {
      makeRoom(name);
      void storage?.setItem(PREFIX + name, { state: { value, at: Date.now() } });
    }
    return true;
  } catch {
    return false; // the browser has no room
  }
}

type Next<T> = T | null | ((now: T | null) => T | null);

export interface Unsaved<T> {
  /** Null: nothing is unsaved. */
  value: T | null;
  /** False if a reload would lose it. */
  isKept: boolean;
  /** Also of an editor that was left: a request may end later. */
  change: (next: Next<T>) => void;
}

/** `name` says whose text it is; a component shows one only, so give it a `key`. */
export function useUnsaved<T extends string | object>(name: string): Unsaved<T> {
  const [value, setValue] = useState<T | null>(() => read<T>(name)?.value ?? null);
  const [isKept, setKept] = useState(true);
  const latest = useRef(value);
  const change = (next: Next<T>) => {
    const changed = typeof next === "function" ? next(latest.current) : next;
    latest.current = changed;
    setValue(changed);
    setKept(write(name, changed));
  };
  return { value, isKept, change };
}
