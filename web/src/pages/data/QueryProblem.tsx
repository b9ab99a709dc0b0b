/**
 * Why a query gave no rows, and a person's way out of it. What the server says of an expensive one
 * is for those who call the API; here it is a button.
 */
import { Alert, Button } from "antd";
import type { ReactNode } from "react";
import { ApiError } from "@/api/errors";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { formatCompact } from "@/i18n/format";
import { costlyOf } from "@/pages/data/costly";
import { problemTexts } from "@/pages/data/problem.texts";

interface Props {
  error: unknown;
  runAnyway?: () => void;
  retry?: () => void;
  /** What helps where the query itself was refused. */
  wayOut?: ReactNode;
}

const REFUSED = ["QUERY_REFUSED", "NOT_FOUND"];

export function QueryProblem({ error, runAnyway, retry, wayOut }: Props) {
  const t = useTexts(problemTexts);
  const costly = costlyOf(error);
  if (costly) {
    return (
      <Alert
        type="warning"
        showIcon
        role="alert"
        title={
          costly.rows === null ? t("expensive") : t("expensive_rows", { count: formatCompact(costly.rows) })
        }
        description={t("expensive_next")}
        action={runAnyway && <Button onClick={runAnyway}>{t("run_anyway")}</Button>}
      />
    );
  }
  const refused = error instanceof ApiError && REFUSED.includes(error.code);
  return (
    <>
      <ErrorNotice error={error} retry={retry} />
      {refused && wayOut}
    </>
  );
}
