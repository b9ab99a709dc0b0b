/** The tables of a source; where there is one only, that one. */
import { TableOutlined } from "@ant-design/icons";
import { Flex, Input, Tag, Typography } from "antd";
import { useState } from "react";
import { Link, Navigate, useSearchParams } from "react-router";
import { EmptyState } from "@/components/states/EmptyState";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { formatNumber } from "@/i18n/format";
import { Entries, Entry } from "@/components/tables/Entries";
import { LinkButton } from "@/components/links/LinkButton";
import { SOURCES, sqlLink, tableLink, tableName } from "@/pages/data/places";
import { useTables, type Table } from "@/pages/data/queries";
import { ReadingButton } from "@/pages/data/sources/ReadingButton";
import { searchTables } from "@/pages/data/tables/search";
import { texts } from "@/pages/data/tables/texts";
import { Trail } from "@/pages/data/tables/Trail";

const SEARCHED_FROM = 6;

export function SourcePage() {
  const t = useTexts(texts);
  const source = useSearchParams()[0].get("source") ?? "";
  const tables = useTables(source);
  const [words, setWords] = useState("");
  return (
    <Flex vertical gap={12}>
      <Trail source={source} />
      <Resource
        query={tables}
        empty={
          <EmptyState
            title={t("empty")}
            action={
              <Flex gap={8} wrap justify="center">
                <LinkButton to={SOURCES} type="primary">{t("all_data")}</LinkButton>
                <ReadingButton source={source} />
              </Flex>
            }
          >
            {t("empty_hint")}
          </EmptyState>
        }
      >
        {(all) => {
          const [only] = all;
          if (only && all.length === 1) return <Navigate replace to={tableLink(source, tableName(only))} />;
          const found = searchTables(all, words);
          return (
            <>
              <Flex gap={8} wrap justify="space-between">
                {all.length >= SEARCHED_FROM && (
                  <Input.Search
                    value={words}
                    placeholder={t("search")}
                    aria-label={t("search")}
                    allowClear
                    style={{ maxWidth: 360 }}
                    onChange={(event) => setWords(event.target.value)}
                  />
                )}
                <Flex gap={8} wrap>
                  <LinkButton to={sqlLink(source)}>{t("ask_sql")}</LinkButton>
                  <ReadingButton source={source} />
                </Flex>
              </Flex>
              {found.length === 0 && <Typography.Text>{t("found_none")}</Typography.Text>}
              <Entries>
                {found.map(({ table, columns }) => (
                  <Entry
                    key={tableName(table)}
                    title={
                      <>
                        <TableOutlined aria-hidden />{" "}
                        <Link to={tableLink(source, tableName(table))}>{tableName(table)}</Link>
                      </>
                    }
                    line={
                      <>
                        <Size table={table} /> {table.comment}
                        {columns.map((column) => (
                          <Tag key={column}>{column}</Tag>
                        ))}
                      </>
                    }
                    actions={
                      <LinkButton to={tableLink(source, tableName(table), "chart")} size="small">{t("make_chart")}</LinkButton>
                    }
                  />
                ))}
              </Entries>
            </>
          );
        }}
      </Resource>
    </Flex>
  );
}

export function Size({ table }: { table: Table }) {
  const t = useTexts(texts);
  const rows =
    table.rows === 1
      ? t("row")
      : table.rows !== null && t(table.rows_exact ? "rows" : "rows_about", { count: formatNumber(table.rows) });
  const columns =
    table.columns.length === 1 ? t("column_one") : t("columns", { count: table.columns.length });
  return <>{[rows, columns, table.is_view && t("view")].filter(Boolean).join(" · ")}</>;
}
