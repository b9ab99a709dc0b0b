/** The lines that two texts have in common and those they do not. Pure. */
import type { DiffLine } from "@/components/diff/diffLines";

/** Beyond it the table of common lines would be felt: the texts are then shown one after the other. */
const CELLS_MAX = 4_000_000;

export function textDiff(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return [
    ...a.slice(0, start).map(same),
    ...changed(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(same),
  ];
}

function changed(a: string[], b: string[]): DiffLine[] {
  if (a.length === 0 || b.length === 0 || a.length * b.length > CELLS_MAX) return [...a.map(removed), ...b.map(added)];
  const common = commonCounts(a, b);
  const width = b.length + 1;
  const count = (at: number, other: number) => common[at * width + other] ?? 0;
  const lines: DiffLine[] = [];
  let [at, other] = [0, 0];
  while (at < a.length && other < b.length) {
    if (a[at] === b[other]) {
      lines.push(same(a[at] ?? ""));
      at += 1;
      other += 1;
    } else if (count(at + 1, other) >= count(at, other + 1)) {
      lines.push(removed(a[at] ?? ""));
      at += 1;
    } else {
      lines.push(added(b[other] ?? ""));
      other += 1;
    }
  }
  return [...lines, ...a.slice(at).map(removed), ...b.slice(other).map(added)];
}

/** How many lines the rests of both texts have in common, for each pair of beginnings. */
function commonCounts(a: readonly string[], b: readonly string[]): Uint32Array {
  const width = b.length + 1;
  const counts = new Uint32Array((a.length + 1) * width);
  for (let at = a.length - 1; at >= 0; at -= 1) {
    for (let other = b.length - 1; other >= 0; other -= 1) {
      const below = counts[(at + 1) * width + other] ?? 0;
      const right = counts[at * width + other + 1] ?? 0;
      const diagonal = counts[(at + 1) * width + other + 1] ?? 0;
      counts[at * width + other] = a[at] === b[other] ? diagonal + 1 : Math.max(below, right);
    }
  }
  return counts;
}

const same = (text: string): DiffLine => ({ kind: "same", text: ` ${text}` });
const removed = (text: string): DiffLine => ({ kind: "removed", text: `-${text}` });
const added = (text: string): DiffLine => ({ kind: "added", text: `+${text}` });
