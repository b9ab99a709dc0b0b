/** What a query gave: its rows, and a chart of them. */
import { Tabs, Typography } from "antd";
import { ResultGrid } from "@/components/tables/ResultGrid";
import { useTexts } from "@/i18n";
import { formatDuration } from "@/i18n/format";
import { ResultChart } from "@/pages/data/charts/ResultChart";
import type { Rows } from "@/pages/data/queries";
import { texts } from "@/pages/data/sql/texts";

type Spec = Record<string, unknown>;

interface Props {
  rows: Rows;
  chart: Spec | null;
  /** Where the chart is what matters, it is shown first. */
  first: "rows" | "chart";
  onSpec?: (spec: Spec | null) => void;
  /** Asks it again, where a note's other reading was chosen. */
  again?: () => void;
}

export function Answer({ rows, chart, first, onSpec, again }: Props) {
  const t = useTexts(texts);
  return (
    <Tabs
      defaultActiveKey={first}
      tabBarExtraContent={
        <Typography.Text type="secondary">{formatDuration(rows.elapsed_ms)}</Typography.Text>
      }
      items={[
        {
          key: "rows",
          label: t("rows"),
          children: (
            <ResultGrid
              resultId={rows.result_id}
              columns={rows.columns}
              rows={rows.rows}
              total={rows.row_count}
              nextOffset={rows.next_offset}
              truncated={rows.truncated}
              mayExportAll={rows.may_export_all}
              notes={rows.notes}
              onChosen={again}
            />
          ),
        },
        {
          key: "chart",
          label: t("chart"),
          children: <ResultChart rows={rows} saved={chart} onSpec={onSpec} />,
        },
      ]}
    />
  );
}
