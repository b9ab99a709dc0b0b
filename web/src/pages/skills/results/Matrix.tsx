/** Which skill a prompt was meant for and which it loads, as a table whose cells are darker the more there are. */
import { Typography } from "antd";
import { useTexts } from "@/i18n";
import type { Confusion } from "@/pages/skills/results/figures";
import { texts } from "@/pages/skills/texts";
import "@/pages/skills/results/matrix.css";

export function Matrix({ rows, columns, count, own }: Confusion & { own: string }) {
  const t = useTexts(texts);
  const most = Math.max(1, ...rows.flatMap((row) => columns.map((column) => count(row, column))));
  return (
    <section>
      <h3 style={{ fontSize: 16, margin: "0 0 4px" }}>{t("matrix")}</h3>
      <Typography.Paragraph type="secondary">{t("matrix_hint")}</Typography.Paragraph>
      <div className="matrix" tabIndex={0} role="group" aria-label={t("matrix")}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("meant")}</th>
              {columns.map((column) => (
                <th key={column} scope="col" className={column === own ? "own" : undefined}>
                  {column || t("nothing")}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row}>
                <th scope="row" className={row === own ? "own" : undefined}>
                  {row || t("nothing")}
                </th>
                {columns.map((column) => {
                  const found = count(row, column);
                  return (
                    <td key={column} className={row === column ? "right" : "wrong"} style={{ "--heat": found / most } as React.CSSProperties}>
                      {found || ""}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
