/** A unified diff, line by line. */
export type DiffLine = { kind: "added" | "removed" | "same" | "hunk"; text: string };

const HEADER = /^(diff --git |index |--- |\+\+\+ |new file mode |deleted file mode |similarity index )/;

export function diffLines(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  // Counts of the hunk that are still to come: inside it `--- x` is a removed line, not a header.
  let removed = 0;
  let added = 0;
  for (const text of diff.replace(/\n$/, "").split("\n")) {
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(text);
    if (hunk) {
      removed = Number(hunk[1] ?? 1);
      added = Number(hunk[2] ?? 1);
      lines.push({ kind: "hunk", text });
    } else if (removed + added <= 0 && HEADER.test(text)) {
      continue;
    } else if (text.startsWith("+")) {
      added -= 1;
      lines.push({ kind: "added", text });
    } else if (text.startsWith("-")) {
      removed -= 1;
      lines.push({ kind: "removed", text });
    } else {
      // "\\ No newline at end of file" is no line of either text.
      if (!text.startsWith("\\")) {
        removed -= 1;
        added -= 1;
      }
      lines.push({ kind: "same", text });
    }
  }
  return lines;
}

export function diffCounts(lines: readonly DiffLine[]): { added: number; removed: number } {
  const count = (kind: DiffLine["kind"]) => lines.filter((line) => line.kind === kind).length;
  return { added: count("added"), removed: count("removed") };
}
