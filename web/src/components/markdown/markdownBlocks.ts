/**
 * A Markdown text in blocks that do not depend on each other: while a text grows, only its last
 * block is parsed again.
 */
export interface Block {
  start: number;
  text: string;
}

/** Shorter blocks are put together: each has its price. */
const BLOCK_CHARS_MIN = 600;
/** Ends whatever stands before it, also without a blank line. */
const TOP_FENCE = /^(`{3,}|~{3,})/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** What may belong to the list or quote before the blank line. */
const CONTINUES = /^(\s|[-*+] |\d+[.)] )/;
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:\s/m;

export function markdownBlocks(text: string): Block[] {
  // A link defined in one place is used in another.
  if (text.length <= BLOCK_CHARS_MIN || DEFINITION.test(text)) return [{ start: 0, text }];
  const blocks: Block[] = [];
  let start = 0;
  let at = 0;
  let fence = "";
  let afterBlank = false;
  while (at < text.length) {
    const end = text.indexOf("\n", at);
    const line = text.slice(at, end === -1 ? text.length : end);
    const isNew = (afterBlank && line.trim() && !CONTINUES.test(line)) || TOP_FENCE.test(line);
    if (isNew && !fence && at - start >= BLOCK_CHARS_MIN) {
      blocks.push({ start, text: text.slice(start, at) });
      start = at;
    }
    const marks = FENCE.exec(line)?.[1];
    if (marks && !fence) fence = marks;
    else if (marks && marks.startsWith(fence) && line.trim() === marks) fence = "";
    afterBlank = !fence && line.trim() === "";
    if (end === -1) break;
    at = end + 1;
  }
  blocks.push({ start, text: text.slice(start) });
  return blocks;
}
