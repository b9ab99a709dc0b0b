/** What was asked lately: each result can be read, drawn and downloaded until it expires. */
import { DeleteOutlined } from "@ant-design/icons";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Button, Flex, Popconfirm, Tag, Typography } from "antd";
import { Link, useSearchParams } from "react-router";
import { api, dataOf, type Schemas } from "@/api/client";
import { CodeBlock } from "@/components/code/CodeBlock";
import { EmptyState } from "@/components/states/EmptyState";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { NextStep } from "@/components/states/NextStep";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { formatAgo, formatBytes, formatNumber, formatTime } from "@/i18n/format";
import { Entries, Entry } from "@/components/tables/Entries";
import { LinkButton } from "@/components/links/LinkButton";
import { resultLink, RESULTS, shownSource, SQL, sqlLink } from "@/pages/data/places";
import { resultsQuery } from "@/pages/data/queries";
import { Answer } from "@/pages/data/sql/Answer";
import { texts } from "@/pages/data/sql/texts";

export function ResultsPage() {
  const resultId = useSearchParams()[0].get("result");
  return resultId ? <OneResult resultId={resultId} /> : <AllResults />;
}

function AllResults() {
  const t = useTexts(texts);
  const results = useQuery(resultsQuery);
  return (
    <Resource
      query={results}
      empty={
        <EmptyState
          title={t("results_empty")}
          action={
            <NextStep>
              <LinkButton to={SQL} type="primary">{t("empty")}</LinkButton>
            </NextStep>
          }
        >
          {t("results_empty_hint")}
        </EmptyState>
      }
    >
      {(found) => (
        <Entries>
          {[...found]
            .sort((a, b) => b.created_at.localeCompare(a.created_at))
            .map((result) => (
              <ResultEntry key={result.result_id} result={result} />
            ))}
        </Entries>
      )}
    </Resource>
  );
}

function ResultEntry({ result }: { result: Schemas["ResultInfo"] }) {
  const t = useTexts(texts);
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      api.DELETE("/api/v1/data/results/{result_id}", { params: { path: { result_id: result.result_id } } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: resultsQuery.queryKey }),
  });
  return (
    <Entry
      title={<Link to={resultLink(result.result_id)}>{result.columns.map((each) => each.name).slice(0, 6).join(", ")}</Link>}
      line={
        <>
          {shownSource(result.source)} ·{" "}
          {t("results_line", {
            rows: formatNumber(result.row_count),
            size: formatBytes(result.size_bytes),
            when: formatAgo(result.created_at),
            until: formatTime(result.expires_at),
          })}{" "}
          {result.session_id && <Tag>{t("results_agent")}</Tag>}
          <Typography.Text code ellipsis style={{ display: "block", maxWidth: "100%" }}>
            {result.normalized_sql}
          </Typography.Text>
        </>
      }
      actions={
        <Popconfirm
          title={t("results_remove_ask")}
          description={t("results_remove_hint")}
          okText={t("results_remove")}
          onConfirm={() => remove.mutate()}
        >
          <Button
            size="small"
            danger
            icon={<DeleteOutlined />}
            aria-label={`${t("results_remove")} ${result.result_id}`}
            loading={remove.isPending}
          />
        </Popconfirm>
      }
    >
      {remove.error && <ErrorNotice error={remove.error} />}
    </Entry>
  );
}

function OneResult({ resultId }: { resultId: string }) {
  const t = useTexts(texts);
  const path = { result_id: resultId };
  const about = useQuery({
    queryKey: ["data", "result", resultId],
    queryFn: () => dataOf(api.GET("/api/v1/data/results/{result_id}", { params: { path } })),
    staleTime: Infinity,
  });
  const rows = useQuery({
    queryKey: ["data", "rows", resultId, "first"],
    queryFn: () =>
      dataOf(api.GET("/api/v1/data/results/{result_id}/rows", { params: { path, query: { limit: 100 } } })),
    staleTime: Infinity,
  });
  return (
    <Flex vertical gap={12}>
      <Link to={RESULTS}>← {t("results_back")}</Link>
      <Resource query={rows}>{(found) => <Answer rows={found} chart={null} first="rows" />}</Resource>
      <Resource query={about}>
        {(found) => (
          <section aria-label={t("results_sql")}>
            <CodeBlock text={found.normalized_sql} language="sql" />
            <LinkButton to={sqlLink(found.source, found.normalized_sql)} size="small">{t("results_again")}</LinkButton>
          </section>
        )}
      </Resource>
    </Flex>
  );
}
