/**
 * The block that is still being written, in two parts: what is drawn as Markdown, and what has come
 * since. Drawing a long block again for every few letters would take longer than they take to come.
 */

/** Up to here a block is drawn as it comes: it takes a few milliseconds. */
const DRAWN_CHARS_MIN = 2_000;
/** Then it is drawn again each time it has grown by a quarter: in all, about five times its length. */
const GROWTH = 1.25;

/** Also in a list or a quote. */
const FENCE = /^[ \t>]*(?:`{3}|~{3})/gm;
/** Rows at the beginning of what follows a table. */
const ROWS = /^(?:\|.*(?:\n|$))+/;

export interface OpenBlock {
  drawn: string;
  /** Plain text: a mark that is not closed yet stays as it was written. */
  tail: string;
}

export function openBlock(text: string): OpenBlock {
  const whole = { drawn: text, tail: "" };
  if (text.length <= DRAWN_CHARS_MIN) return whole;
  const end = cutBefore(text, stepBelow(text.length));
  const [drawn, tail] = [text.slice(0, end), text.slice(end)];
  // Code that is cut in two is drawn as none.
  const isInCode = (drawn.match(FENCE)?.length ?? 0) % 2 === 1;
  if (isInCode || tail.match(FENCE)) return whole;
  // The rows of a table come a few at a time, rather than as lines with bars.
  return { drawn, tail: /^\|.*\n$/m.test(lastLine(drawn)) ? tail.replace(ROWS, "") : tail };
}

function stepBelow(length: number): number {
  let step = DRAWN_CHARS_MIN;
  while (step * GROWTH <= length) step = Math.floor(step * GROWTH);
  return step;
}

/** The end of a line; in a line that is long itself, the end of a word. */
function cutBefore(text: string, step: number): number {
  const near = Math.floor(step / GROWTH);
  const line = text.lastIndexOf("\n", step - 1) + 1;
  if (line > near) return line;
  const word = text.lastIndexOf(" ", step - 1) + 1;
  if (word > near) return word;
  // Not between the halves of a character.
  return /[\uD800-\uDBFF]/.test(text.charAt(step - 1)) ? step - 1 : step;
}

const lastLine = (text: string): string => text.slice(text.lastIndexOf("\n", text.length - 2) + 1);
