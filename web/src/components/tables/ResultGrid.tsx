/** A kept result: its first rows at once, the others page by page, the whole as a file. */
import { DownloadOutlined, LeftOutlined, RightOutlined } from "@ant-design/icons";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Button, Flex, Typography } from "antd";
import { useState } from "react";
import { api, BASE_PATH, dataOf } from "@/api/client";
import { mayWrite, useMe } from "@/api/me";
import type { Column } from "@/components/tables/cells";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { ReadNotes } from "@/components/readings/ReadNotes";
import { RowsTable } from "@/components/tables/RowsTable";
import { componentTexts } from "@/components/texts";
import { Waiting } from "@/components/states/Waiting";
import { useTexts } from "@/i18n";
import { formatNumber } from "@/i18n/format";

const PAGE_ROWS = 100;
const FORMATS = ["csv", "xlsx", "parquet"] as const;

interface Props {
  resultId: string;
  /** The first rows, where they are at hand; without them they are read. */
  columns?: readonly Column[];
  rows?: readonly unknown[][];
  total?: number;
  nextOffset?: number | null;
  truncated?: boolean;
  /** Whether the reader may run a cut result's query again, where that is known with the rows. */
  mayExportAll?: boolean;
  notes?: readonly string[];
  /** Asks it again, where a note's other reading was chosen. */
  onChosen?: () => void;
}

export function ResultGrid(props: Props) {
  const { resultId, columns, rows, total, nextOffset, truncated, mayExportAll, notes, onChosen } = props;
  const [offset, setOffset] = useState(0);
  const given = offset === 0 && columns && rows;
  const page = useQuery({
    queryKey: ["data", "rows", resultId, offset],
    queryFn: () =>
      dataOf(
        api.GET("/api/v1/data/results/{result_id}/rows", {
          params: { path: { result_id: resultId }, query: { offset, limit: PAGE_ROWS } },
        }),
      ),
    enabled: !given,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  const [back, setBack] = useState<number[]>([]);
  const shown = given
    ? { columns, rows, offset: 0, next: nextOffset ?? null }
    : page.data && {
        columns: page.data.columns,
        rows: page.data.rows,
        offset: page.data.offset,
        next: page.data.next_offset,
      };
  const all = page.data?.row_count ?? total ?? rows?.length ?? 0;
  const go = (to: number, trail: number[]) => {
    setOffset(to);
    setBack(trail);
  };
  return (
    <Flex vertical gap={6} aria-busy={page.isFetching}>
      {page.error && <ErrorNotice error={page.error} retry={() => void page.refetch()} />}
      <ReadNotes notes={notes ?? page.data?.notes ?? []} of={{ resultId }} onChosen={onChosen} />
      {shown ? <RowsTable columns={shown.columns} rows={shown.rows} /> : page.isPending && <Waiting />}
      {shown && (
        <Footer
          resultId={resultId}
          from={shown.offset}
          count={shown.rows.length}
          total={all}
          truncated={truncated ?? page.data?.truncated ?? false}
          mayExportAll={mayExportAll ?? page.data?.may_export_all ?? false}
          previous={back.length > 0 ? () => go(back.at(-1) ?? 0, back.slice(0, -1)) : null}
          next={shown.next === null ? null : () => go(shown.next ?? 0, [...back, offset])}
        />
      )}
    </Flex>
  );
}

interface FooterProps {
  resultId: string;
  from: number;
  count: number;
  total: number;
  truncated: boolean;
  mayExportAll: boolean;
  previous: (() => void) | null;
  next: (() => void) | null;
}

function Footer({ resultId, from, count, total, truncated, mayExportAll, previous, next }: FooterProps) {
  const t = useTexts(componentTexts);
  const range = { from: formatNumber(from + 1), to: formatNumber(from + count), total: formatNumber(total) };
  const file = `${BASE_PATH}/api/v1/data/results/${encodeURIComponent(resultId)}/export?format=`;
  const isViewer = !mayWrite(useMe());
  return (
    <Flex gap={8} align="center" justify="space-between" wrap>
      <Flex gap={4} align="center">
        {(previous || next) && (
          <>
            <Button
              size="small"
              type="text"
              icon={<LeftOutlined />}
              aria-label={t("previous")}
              disabled={!previous}
              onClick={previous ?? undefined}
            />
            <Button
              size="small"
              type="text"
              icon={<RightOutlined />}
              aria-label={t("next")}
              disabled={!next}
              onClick={next ?? undefined}
            />
          </>
        )}
        <Typography.Text type="secondary" role="status">
          {total === 1 ? t("one_row") : total > 0 && t("rows_shown", range)}
          {truncated && ` · ${t("cut_rows", { total: formatNumber(total) })}`}
        </Typography.Text>
      </Flex>
      <Flex gap={2} align="center" wrap>
        <DownloadOutlined aria-hidden />
        {truncated && (
          <Typography.Text type="secondary">
            {t(mayExportAll ? "export_all" : isViewer ? "export_all_viewer" : "export_all_owner")}
          </Typography.Text>
        )}
        {(mayExportAll || !truncated) && FORMATS.map((format) => (
          <Button
            key={format}
            size="small"
            type="link"
            href={file + format}
            download
            aria-label={`${t("export")} ${format.toUpperCase()}`}
          >
            {format.toUpperCase()}
          </Button>
        ))}
        {truncated && (
          <Typography.Text type="secondary">
            {t("export_kept", { total: formatNumber(total) })}
          </Typography.Text>
        )}
        {truncated &&
          FORMATS.map((format) => (
            <Button
              key={format}
              size="small"
              type="link"
              href={`${file}${format}&rows=kept`}
              download
              aria-label={`${t("export_kept", { total: formatNumber(total) })} ${format.toUpperCase()}`}
            >
              {format.toUpperCase()}
            </Button>
          ))}
      </Flex>
    </Flex>
  );
}
