import type { PatternInfo } from "@/api/learned/patterns";

/** Whether every word is in what a pattern says of itself; words of any language, in any order. */
export function fits({ name, description, tools }: PatternInfo, words: string): boolean {
  const text = [name, description, ...tools].join("\n").toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
