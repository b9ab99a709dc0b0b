/** How well a pattern went over time, and where it was used. */
import { CheckCircleOutlined, CloseCircleOutlined } from "@ant-design/icons";
import { Flex, Typography } from "antd";
import { useMemo } from "react";
import { Link } from "react-router";
import type { PatternDetail } from "@/api/learned/patterns";
import { Chart } from "@/components/charts/Chart";
import { EmptyState } from "@/components/states/EmptyState";
import { Entries, Entry } from "@/components/tables/Entries";
import { useTexts } from "@/i18n";
import { formatPercent, formatTime } from "@/i18n/format";
import { successSpec, type Run } from "@/pages/learned/patterns/detail/successSpec";
import { texts } from "@/pages/learned/patterns/texts";

export function Uses({ pattern: { runs } }: { pattern: PatternDetail }) {
  const t = useTexts(texts);
  const words = { at: t("at"), rate: t("rate"), number: t("run_number"), run: t("run"), worked: t("worked"), failed: t("failed") };
  const spec = useMemo(() => successSpec(runs, words), [runs, ...Object.values(words)]);
  if (runs.length === 0) return <EmptyState title={t("runs_none")}>{t("runs_none_hint")}</EmptyState>;
  return (
    <Flex vertical gap={16}>
      <Chart spec={spec} title={t("success_over_time")} height={140} />
      <section aria-label={t("used_in")}>
        <Typography.Title level={3} style={{ fontSize: 16 }}>
          {t("used_in")}
        </Typography.Title>
        <Entries>
          {runs.toReversed().map((run, at) => (
            <UseEntry key={run.run_id ?? at} run={run} />
          ))}
        </Entries>
      </section>
    </Flex>
  );
}

function UseEntry({ run }: { run: Run }) {
  const t = useTexts(texts);
  return (
    <Entry
      title={
        <>
          {run.success ? <CheckCircleOutlined aria-hidden /> : <CloseCircleOutlined aria-hidden />}{" "}
          {t(run.success ? "worked" : "failed")} · {formatTime(run.at)}
        </>
      }
      line={`${t(run.worked_by_it ? "by_pattern" : "like_pattern")} · ${t("rate_then", { share: formatPercent(run.rate) })}`}
      actions={
        run.run_id === null || run.session_id === null ? (
          <Typography.Text type="secondary">{t("not_yours")}</Typography.Text>
        ) : (
          <>
            <Link to={`/chat/${run.session_id}`}>{t("open_chat")}</Link>
            <Link to={`/activity/${run.run_id}`}>{t("open_run")}</Link>
          </>
        )
      }
    />
  );
}
