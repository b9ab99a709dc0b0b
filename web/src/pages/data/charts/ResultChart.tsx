/** A chart of any result: what the server suggests at once, then what is chosen. */
import { Button, Flex, Typography } from "antd";
import { useMemo, useState } from "react";
import { useTexts } from "@/i18n";
import type { Rows } from "@/pages/data/queries";
import { ChartForm } from "@/pages/data/charts/ChartForm";
import { chooseWish } from "@/pages/data/charts/chooseWish";
import { columnsOfRows } from "@/pages/data/charts/columns";
import { Drawing } from "@/pages/data/charts/Drawing";
import { texts } from "@/pages/data/charts/texts";
import { wordsFor } from "@/pages/data/charts/words";
import { specFor } from "@/pages/data/charts/writeSpec";

type Spec = Record<string, unknown>;

interface Props {
  rows: Pick<Rows, "result_id" | "columns" | "rows">;
  /** A chart that was saved; the form starts anew when something is chosen. */
  saved?: Spec | null;
  onSpec?: (spec: Spec | null) => void;
}

export function ResultChart({ rows, saved = null, onSpec }: Props) {
  const t = useTexts(texts);
  const columns = useMemo(() => columnsOfRows(rows), [rows]);
  const first = useMemo(() => chooseWish(columns), [columns]);
  const [wish, setWish] = useState(first);
  const [spec, setSpec] = useState<Spec | null>(saved);
  const show = (next: Spec | null) => {
    setSpec(next);
    onSpec?.(next);
  };
  return (
    <div className="chart-desk">
      <Drawing resultId={rows.result_id} spec={spec} />
      {wish && (
        <div>
          <Flex gap={8} wrap align="center" style={{ marginBottom: 8 }}>
            {spec === null ? (
              <Typography.Text type="secondary">{t("suggested")}</Typography.Text>
            ) : (
              <Button size="small" onClick={() => (setWish(first), show(null))}>
                {t("suggest_again")}
              </Button>
            )}
          </Flex>
          <ChartForm
            wish={wish}
            columns={columns}
            autoTitle={wordsFor(wish, t).title}
            change={(next) => {
              setWish(next);
              show(specFor(next, columns, false, wordsFor(next, t)));
            }}
          />
        </div>
      )}
    </div>
  );
}
