/** The figures of an answer: where each stands in the text, and what is known of it. */
import type { Mark } from "@/components/markdown/markdownMarks";
import type { TextItem } from "@/stream/conversation";
import type { Json } from "@/stream/events";

export interface Figure extends Mark {
  text: string;
  source:
    | { kind: "result"; resultId: string; derivation: string; detail: string; cited: boolean }
    /** Its value is in the result, but the words do not say that it is that cell. */
    | { kind: "value"; resultId: string; derivation: string; detail: string }
    | { kind: "output"; detail: string }
    | { kind: "none"; reason: string };
}

export function figuresOf(item: Pick<TextItem, "text" | "figures" | "unsourced">): Figure[] {
  const units = unitsOf(item.text);
  const found = item.figures.flatMap((raw) => figure(raw, units, sourced));
  const without = item.unsourced.flatMap((raw) => figure(raw, units, unsourced));
  return [...found, ...without];
}

type Fields = Record<string, Json>;

function figure(raw: Json, units: (points: number) => number, source: (of: Fields) => Figure["source"]): Figure[] {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return [];
  const { text, start, end } = raw as Fields;
  if (typeof text !== "string" || typeof start !== "number" || typeof end !== "number") return [];
  return [{ text, start: units(start), end: units(end), source: source(raw as Fields) }];
}

function sourced(of: Fields): Figure["source"] {
  const detail = String(of.detail ?? "");
  if (typeof of.result_id !== "string") return { kind: "output", detail };
  const derivation = String(of.derivation ?? "");
  if (of.class === "value") return { kind: "value", resultId: of.result_id, derivation, detail };
  return { kind: "result", resultId: of.result_id, derivation, detail, cited: of.class === "cited" };
}

const unsourced = (of: Fields): Figure["source"] => ({ kind: "none", reason: String(of.reason ?? "") });

/** The server counts characters, JavaScript counts UTF-16 units: an emoji is one there and two here. */
function unitsOf(text: string): (points: number) => number {
  if (!/[\uD800-\uDBFF]/.test(text)) return (points) => points;
  const units = [0];
  let at = 0;
  for (const character of text) units.push((at += character.length));
  return (points) => units[points] ?? text.length;
}

export interface Citation extends Mark {
  resultId: string;
  /** 1, 2, 3 ... in the order the results are first named. */
  number: number;
}

const CITED = /\[(r_[0-9a-f]{12})[^\]\n]*\]/g;

/** Where an answer names the results it speaks of: `[r_0123456789ab]`. */
export function citationsOf(text: string): Citation[] {
  const numbers = new Map<string, number>();
  return [...text.matchAll(CITED)].map((found) => {
    const resultId = found[1] ?? "";
    const number = numbers.get(resultId) ?? numbers.size + 1;
    numbers.set(resultId, number);
    return { resultId, number, start: found.index, end: found.index + found[0].length };
  });
}
