/** A chart of a kept result as the server draws it, with what must be known of it and its files. */
import { DownloadOutlined } from "@ant-design/icons";
import { useMutation } from "@tanstack/react-query";
import { Alert, Button, Flex } from "antd";
import type { ReactNode } from "react";
import { Chart } from "@/components/charts/Chart";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Waiting } from "@/components/states/Waiting";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";
import { picture, useChartSpec, type PictureFormat } from "@/pages/data/queries";
import { useSettled } from "@/components/forms/useSettled";
import { texts } from "@/pages/data/charts/texts";

const FORMATS: PictureFormat[] = ["png", "svg", "pdf"];

interface Props {
  resultId: string;
  /** null: what fits the columns. */
  spec: Record<string, unknown> | null;
  actions?: ReactNode;
}

export function Drawing({ resultId, spec, actions }: Props) {
  const t = useTexts(texts);
  const said = useDataText();
  const chart = useChartSpec(resultId, useSettled(spec));
  const download = useMutation({
    mutationFn: async (format: PictureFormat) =>
      saveAs(await picture(resultId, spec, format), `${chart.data?.title || resultId}.${format}`),
  });
  if (!chart.data) {
    if (chart.isPending) return <Waiting />;
    return <ErrorNotice error={chart.error} />;
  }
  return (
    <Flex vertical gap={8} aria-busy={chart.isFetching}>
      {chart.error && <ErrorNotice error={chart.error} />}
      <Chart spec={chart.data.spec} title={chart.data.title} height={340} />
      {chart.data.notes.length > 0 && (
        <Alert type="info" showIcon title={chart.data.notes.map(said).join(" · ")} />
      )}
      {download.error && <ErrorNotice error={download.error} />}
      <Flex gap={8} wrap align="center">
        {actions}
        {FORMATS.map((format) => (
          <Button
            key={format}
            icon={<DownloadOutlined />}
            aria-label={`${t("download")} ${format.toUpperCase()}`}
            loading={download.isPending && download.variables === format}
            onClick={() => download.mutate(format)}
          >
            {format.toUpperCase()}
          </Button>
        ))}
      </Flex>
    </Flex>
  );
}

function saveAs(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name.replace(/[/\\:*?"<>|]+/g, "_");
  link.click();
  // The browser has taken what it needs by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
