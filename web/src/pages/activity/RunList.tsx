import { Button, Table, Typography, type TableColumnsType } from "antd";
import { useState } from "react";
import { Link } from "react-router";
import { useMe } from "@/api/me";
import { useTitles } from "@/api/names";
import { runName } from "@/api/runs";
import { usePreferences } from "@/app/state/preferences";
import { EmptyState } from "@/components/states/EmptyState";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { LinkButton } from "@/components/links/LinkButton";
import { NextStep } from "@/components/states/NextStep";
import { PageFrame } from "@/components/page/PageFrame";
import { PersonPicker } from "@/components/forms/PersonPicker";
import { Waiting } from "@/components/states/Waiting";
import { useTexts } from "@/i18n";
import { formatAgo, formatCompact, formatDuration, formatTime } from "@/i18n/format";
import { pageTexts } from "@/pages/activity/page.texts";
import { useRuns, type Run } from "@/pages/activity/queries";
import { durationOf, RunStatus, tokensOf } from "@/pages/activity/RunStatus";
import { texts } from "@/pages/activity/texts";
import "@/pages/activity/activity.css";

export function RunList() {
  const t = useTexts(texts);
  const p = useTexts(pageTexts);
  const me = useMe();
  const [userId, setUserId] = useState(me.user_id);
  const projectId = usePreferences((state) => state.projectId);
  const runs = useRuns(userId === me.user_id ? undefined : userId, projectId ?? undefined);
  const titles = useTitles(userId !== me.user_id);
  const items = runs.data?.pages.flatMap((page) => page.items) ?? [];
  const longest = Math.max(1, ...items.map((run) => durationOf(run) ?? 0));
  const columns: TableColumnsType<Run> = [
    {
      title: t("run"),
      render: (_, run) => (
        <div className="run-name">
          <Link to={`/activity/${run.run_id}`}>{runName(run) || t("unasked")}</Link>
          <Typography.Text type="secondary">{titles.data?.get(run.session_id) || t("untitled")}</Typography.Text>
        </div>
      ),
    },
    {
      title: t("when"),
      responsive: ["sm"],
      render: (_, run) => <span title={formatTime(run.created_at)}>{formatAgo(run.created_at)}</span>,
    },
    { title: t("status"), render: (_, run) => <RunStatus run={run} /> },
    {
      title: t("duration"),
      render: (_, run) => <Length ms={durationOf(run)} longest={longest} />,
    },
    {
      title: t("tokens"),
      align: "end",
      responsive: ["sm"],
      render: (_, run) => {
        const tokens = tokensOf(run);
        return tokens === null ? "–" : formatCompact(tokens);
      },
    },
  ];
  return (
    <PageFrame
      title={p("title")}
      hint={p("hint")}
      extra={
        <PersonPicker
          label={t("whose")}
          value={userId}
          onChange={setUserId}
          mine={t("mine", { user: me.user_id })}
        />
      }
    >
      {runs.error && <ErrorNotice error={runs.error} retry={() => void runs.refetch()} />}
      {runs.isPending && <Waiting />}
      {runs.data && items.length === 0 && (
        <EmptyState
          title={t("empty")}
          action={
            <NextStep>
              <LinkButton to="/chat" type="primary">{t("ask")}</LinkButton>
            </NextStep>
          }
        >
          {t("empty_hint")}
        </EmptyState>
      )}
      {items.length > 0 && (
        <Table<Run>
          rowKey="run_id"
          size="small"
          columns={columns}
          dataSource={items}
          pagination={false}
          scroll={{ x: "max-content" }}
        />
      )}
      {runs.hasNextPage && (
        <Button
          style={{ marginTop: 12 }}
          loading={runs.isFetchingNextPage}
          onClick={() => void runs.fetchNextPage()}
        >
          {t("more")}
        </Button>
      )}
    </PageFrame>
  );
}

function Length({ ms, longest }: { ms: number | null; longest: number }) {
  if (ms === null) return "–";
  return (
    <span className="run-length">
      <span className="run-length-bar" style={{ width: `${Math.max(2, (ms / longest) * 80)}px` }} />
      {formatDuration(ms)}
    </span>
  );
}
