/** The first rows, by a query like any other. */
import { Flex, Typography } from "antd";
import { useState } from "react";
import { Link } from "react-router";
import { Resource } from "@/components/states/Resource";
import { RowsTable } from "@/components/tables/RowsTable";
import { useTexts } from "@/i18n";
import { formatNumber } from "@/i18n/format";
import { sqlLink } from "@/pages/data/places";
import { problemTexts } from "@/pages/data/problem.texts";
import { QueryProblem } from "@/pages/data/QueryProblem";
import { useAnswer } from "@/pages/data/queries";
import { texts } from "@/pages/data/tables/texts";

interface Props {
  source: string;
  sql: string;
  total: number | null;
}

export function Preview({ source, sql, total }: Props) {
  const t = useTexts(texts);
  const problem = useTexts(problemTexts);
  const [confirmed, setConfirmed] = useState(false);
  const answer = useAnswer({ source, sql, confirmed });
  if (answer.error) {
    return (
      <QueryProblem
        error={answer.error}
        runAnyway={() => setConfirmed(true)}
        retry={() => void answer.refetch()}
        wayOut={<Link to={sqlLink(source, sql)}>{problem("sql_next")}</Link>}
      />
    );
  }
  return (
    <Resource query={answer}>
      {(found) => (
        <Flex vertical gap={8}>
          <RowsTable columns={found.columns} rows={found.rows} label={t("preview")} />
          {total !== null && total > found.rows.length && (
            <Typography.Text type="secondary">
              {t("first_rows", { count: formatNumber(found.rows.length), total: formatNumber(total) })}
            </Typography.Text>
          )}
        </Flex>
      )}
    </Resource>
  );
}
