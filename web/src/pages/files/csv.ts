/** The first rows of a CSV for a preview: quotes, line ends inside them, whichever separator. Pure. */

const SEPARATORS = [",", ";", "\t", "|"] as const;

export function readCsv(text: string, rowsMax: number): string[][] {
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const separator = separatorOf(body);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  for (let at = 0; at < body.length && rows.length < rowsMax; at += 1) {
    const sign = body[at];
    if (quoted) {
      const doubled = sign === '"' && body[at + 1] === '"';
      if (sign !== '"' || doubled) cell += sign;
      else quoted = false;
      if (doubled) at += 1;
    } else if (sign === '"' && cell === "") quoted = true;
    else if (sign === separator) {
      row.push(cell);
      cell = "";
    } else if (sign === "\n") {
      rows.push([...row, cell]);
      row = [];
      cell = "";
    } else if (sign !== "\r") cell += sign;
  }
  if (rows.length < rowsMax && (cell !== "" || row.length > 0)) rows.push([...row, cell]);
  return rows;
}

/** The separator that the first line has most of. */
function separatorOf(text: string): string {
  const line = text.slice(0, text.search(/[\r\n]|$/));
  const count = (sign: string) => line.split(sign).length;
  return SEPARATORS.reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}
