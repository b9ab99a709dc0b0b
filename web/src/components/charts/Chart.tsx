/** A Vega-Lite chart, and the same as a table. */
import { BarChartOutlined, TableOutlined } from "@ant-design/icons";
import { Alert } from "antd";
import { useEffect, useMemo, useRef, useState } from "react";
import { useDark } from "@/app/style/theme";
import { chartRows, fitted } from "@/components/charts/chartSpec";
import { RowsTable } from "@/components/tables/RowsTable";
import { Segments } from "@/components/forms/Segments";
import { componentTexts } from "@/components/texts";
import { useTexts } from "@/i18n";
import "@/components/charts/chart.css";

interface Props {
  spec: object;
  title: string;
  height?: number;
}

export function Chart({ spec, title, height }: Props) {
  const t = useTexts(componentTexts);
  const [view, setView] = useState<"chart" | "table">("chart");
  return (
    <figure className="chart">
      <Segments
        size="small"
        className="chart-switch"
        aria-label={t("chart_view")}
        value={view}
        onChange={setView}
        options={[
          { value: "chart", icon: <BarChartOutlined aria-label={t("chart")} />, title: t("chart") },
          { value: "table", icon: <TableOutlined aria-label={t("table")} />, title: t("table") },
        ]}
      />
      {view === "chart" ? (
        <Picture spec={spec} title={title} height={height} />
      ) : (
        <RowsTable {...chartRows(spec as Record<string, unknown>)} label={title} />
      )}
    </figure>
  );
}

function Picture({ spec, title, height }: Props) {
  const t = useTexts(componentTexts);
  const dark = useDark();
  const place = useRef<HTMLDivElement>(null);
  const [why, setWhy] = useState<string | null>(null);
  const wanted = useMemo(() => fitted(spec as Record<string, unknown>, dark, height), [spec, dark, height]);
  useEffect(() => {
    let drawn: (() => void) | null = null;
    let gone = false;
    setWhy(null);
    const draw = async () => {
      const vega = await import("@/components/charts/vega");
      if (gone || !place.current) return;
      const { finalize } = await vega.draw(place.current, wanted);
      if (gone) finalize();
      else drawn = finalize;
    };
    draw().catch((error: unknown) => setWhy(error instanceof Error ? error.message : String(error)));
    return () => {
      gone = true;
      drawn?.();
    };
  }, [wanted]);
  return (
    <>
      {why !== null && <Alert type="warning" showIcon title={t("chart_failed", { why })} />}
      {/* Vega names the element it draws in by itself; the title is on the one around it. */}
      <div role="img" aria-label={title} hidden={why !== null}>
        <div ref={place} className="chart-picture" aria-hidden />
      </div>
    </>
  );
}
