/** Where a line and a column, both counted from 1, are in a text; the end of the line if it is shorter. */
export function offsetOf(text: string, line: number, column: number): number {
  const lines = text.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  const within = Math.min(Math.max(0, column - 1), lines[line - 1]?.length ?? 0);
  return Math.min(text.length, before + within);
}
