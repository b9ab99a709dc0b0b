/** A name in the lines that fit a width: broken at blanks, the last one cut. Pure. */
export function linesOf(name: string, widthOf: (text: string) => number, width: number, linesMax: number): string[] {
  const lines: string[] = [];
  for (const word of name.split(/\s+/).filter(Boolean)) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
    if (lines.length > 0 && (widthOf(longer) <= width || lines.length === linesMax)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => cut(line, widthOf, width));
}

function cut(line: string, widthOf: (text: string) => number, width: number): string {
  if (widthOf(line) <= width) return line;
  const signs = [...line];
  while (signs.length > 1 && widthOf(`${signs.join("")}…`) > width) signs.pop();
  return `${signs.join("")}…`;
}
