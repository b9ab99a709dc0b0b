/** Unsent drafts, stored in this browser for each session. */
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { keptFor } from "@/app/state/kept";

/** The draft of a chat that has no session yet. */
export const NEW_CHAT = "new";
const DRAFTS_MAX = 30;

type Drafts = Readonly<Record<string, string>>;

/** The newest stand last; the oldest make room. */
export function withDraft(drafts: Drafts, key: string, text: string): Drafts {
  const { [key]: _old, ...rest } = drafts;
  if (!text) return rest;
  const kept = Object.entries(rest).slice(-(DRAFTS_MAX - 1));
  return Object.fromEntries([...kept, [key, text]]);
}

/** Puts a text that came back before what has been written since. */
export function withReturned(draft: string, returned: string): string {
  if (!draft.trim() || draft === returned) return returned;
  return `${returned}\n\n${draft}`;
}

interface Store {
  drafts: Drafts;
  write: (key: string, text: string) => void;
  giveBack: (key: string, text: string) => void;
}

export const useDrafts = create<Store>()(
  persist(
    (set) => ({
      drafts: {},
      write: (key, text) => set(({ drafts }) => ({ drafts: withDraft(drafts, key, text) })),
      giveBack: (key, text) =>
        set(({ drafts }) => ({
          drafts: withDraft(drafts, key, withReturned(drafts[key] ?? "", text)),
        })),
    }),
    { name: "drafts", storage: keptFor(() => localStorage) },
  ),
);
