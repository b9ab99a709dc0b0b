/** Rows in a plain table: numbers to the right, nulls as a sign, long cells cut; scrolls inside. */
import { useState } from "react";
import { cellText, isNumeric, type Column } from "@/components/tables/cells";
import { componentTexts } from "@/components/texts";
import { useTexts } from "@/i18n";
import "@/components/tables/rows.css";

const CELL_CHARS_MAX = 60;

interface Props {
  columns: readonly Column[];
  rows: readonly unknown[][];
  label?: string;
}

export function RowsTable({ columns, rows, label }: Props) {
  const t = useTexts(componentTexts);
  if (columns.length === 0) return <p>{t("no_columns")}</p>;
  const numeric = columns.map((column, index) => isNumeric(column, index, rows));
  return (
    <div className="rows" tabIndex={0} role="group" aria-label={label ?? t("table")}>
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col" className={numeric[index] ? "number" : undefined} title={column.kind}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {columns.map((column, index) => (
                <td key={index} className={numeric[index] ? "number" : undefined}>
                  <Cell text={cellText(row[index], column.kind)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="rows-none">{t("no_rows")}</p>}
    </div>
  );
}

function Cell({ text }: { text: string | null }) {
  const t = useTexts(componentTexts);
  const [whole, setWhole] = useState(false);
  if (text === null) {
    return (
      <span className="null" title={t("no_value")}>
        <span aria-hidden>∅</span>
        <span className="visually-hidden">{t("no_value")}</span>
      </span>
    );
  }
  if (text.length <= CELL_CHARS_MAX && !text.includes("\n")) return text;
  return (
    <button
      type="button"
      className={whole ? "cell whole" : "cell"}
      aria-expanded={whole}
      title={whole ? undefined : text.slice(0, 2000)}
      onClick={() => setWhole(!whole)}
    >
      {whole ? text : `${text.slice(0, CELL_CHARS_MAX).replaceAll("\n", "⏎")}…`}
    </button>
  );
}
