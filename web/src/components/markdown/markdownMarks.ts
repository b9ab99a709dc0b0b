/**
 * Marks that stand around a part of a Markdown text to be drawn in a special way: characters that no
 * keyboard has, so that Markdown takes them for letters. What the text itself has of them is taken out.
 */
const OPEN = "\uE010";
const AFTER_INDEX = "\uE011";
const CLOSE = "\uE012";
const ANY = /[\uE010-\uE012]/g;
const INDEX = /\uE010\d+\uE011|\uE012/g;

export interface Mark {
  start: number;
  end: number;
}

/** Marks parts of a text; the number of each is its place in the list. Overlapping ones are left out. */
export function withMarks(text: string, marks: readonly Mark[]): string {
  const clean = text.replace(ANY, "\uFFFD");
  const inOrder = marks.map((mark, index) => ({ ...mark, index })).sort((a, b) => a.start - b.start);
  let marked = "";
  let at = 0;
  for (const { start, end, index } of inOrder) {
    if (start < at || end <= start || end > clean.length) continue;
    marked += `${clean.slice(at, start)}${OPEN}${index}${AFTER_INDEX}${clean.slice(start, end)}${CLOSE}`;
    at = end;
  }
  return marked + clean.slice(at);
}

export const withoutMarks = (text: string): string => text.replace(INDEX, "").replace(ANY, "");

/** A marked part at the beginning of what follows. */
export const MARKED = /^\uE010(\d+)\uE011([^\uE010-\uE012]*)\uE012/;
export const startOfMark = (text: string): number => text.indexOf(OPEN);
