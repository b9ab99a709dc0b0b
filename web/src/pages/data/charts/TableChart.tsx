/** From a table to a chart without a word of SQL: the page writes it, the engine counts all rows. */
import { Collapse, Flex } from "antd";
import { useMemo, useState } from "react";
import { Link } from "react-router";
import { CodeBlock } from "@/components/code/CodeBlock";
import { EmptyState } from "@/components/states/EmptyState";
import { LinkButton } from "@/components/links/LinkButton";
import { Waiting } from "@/components/states/Waiting";
import { useTexts } from "@/i18n";
import { sqlLink, tableName } from "@/pages/data/places";
import { QueryProblem } from "@/pages/data/QueryProblem";
import { SaveQuestion } from "@/pages/data/questions/SaveQuestion";
import { useAnswer, type Described } from "@/pages/data/queries";
import { ChartForm } from "@/pages/data/charts/ChartForm";
import { chooseWish } from "@/pages/data/charts/chooseWish";
import { columnsOfTable } from "@/pages/data/charts/columns";
import { Drawing } from "@/pages/data/charts/Drawing";
import { texts } from "@/pages/data/charts/texts";
import type { ChartColumn, Wish } from "@/pages/data/charts/wish";
import { wordsFor } from "@/pages/data/charts/words";
import { specFor } from "@/pages/data/charts/writeSpec";
import { sqlFor } from "@/pages/data/charts/writeSql";

interface Props {
  source: string;
  dialect: string;
  described: Described;
}

export function TableChart({ source, dialect, described }: Props) {
  const t = useTexts(texts);
  const columns = useMemo(() => columnsOfTable(described), [described]);
  const first = useMemo(() => chooseWish(columns), [columns]);
  if (!first) {
    return (
      <EmptyState
        title={t("nothing_to_draw")}
        action={
          <LinkButton to={sqlLink(source)} type="primary">{t("write_sql")}</LinkButton>
        }
      >
        {t("nothing_to_draw_next")}
      </EmptyState>
    );
  }
  return <Builder key={tableName(described.table)} {...{ source, dialect, described, columns, first }} />;
}

function Builder({ source, dialect, described, columns, first }: Props & { columns: ChartColumn[]; first: Wish }) {
  const t = useTexts(texts);
  const [wish, setWish] = useState(first);
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const { name, schema } = described.table;
  const sql = sqlFor(wish, { name, schema, dialect, columns });
  const words = wordsFor(wish, t);
  const spec = specFor(wish, columns, true, words);
  const answer = useAnswer({ source, sql, confirmed: confirmed === sql });
  return (
    <Flex vertical gap={12}>
      <div className="chart-desk">
        <div>
          {answer.isPending && (
            <div style={{ minHeight: 440 }}>
              <Waiting />
            </div>
          )}
          {answer.error && (
            <QueryProblem
              error={answer.error}
              runAnyway={() => setConfirmed(sql)}
              retry={() => void answer.refetch()}
              wayOut={<Link to={sqlLink(source, sql)}>{t("open_sql")}</Link>}
            />
          )}
          {answer.data && (
            <Drawing
              resultId={answer.data.result_id}
              spec={spec}
              actions={<SaveQuestion ask={{ source, sql }} chart={spec} suggested={wish.title || words.title} />}
            />
          )}
        </div>
        <ChartForm
          wish={wish}
          columns={columns}
          autoTitle={words.title}
          withoutMedian={dialect !== "duckdb"}
          change={setWish}
        />
      </div>
      <Collapse
        size="small"
        items={[
          {
            key: "sql",
            label: t("see_sql"),
            children: (
              <Flex vertical gap={8} align="start">
                <div style={{ width: "100%" }}>
                  <CodeBlock text={sql} language="sql" />
                </div>
                <Link to={sqlLink(source, sql)}>{t("open_sql")}</Link>
              </Flex>
            ),
          },
        ]}
      />
    </Flex>
  );
}
