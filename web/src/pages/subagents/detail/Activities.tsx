/** What a sub-agent did, the newest first: when, how long, how many tokens, how it ended. */
import { Button, Tag, Timeline, Typography } from "antd";
import { useState } from "react";
import { Link } from "react-router";
import { mayWrite, useMe } from "@/api/me";
import type { SubAgentInfo } from "@/api/subagents";
import { LinkButton } from "@/components/links/LinkButton";
import { JsonView } from "@/components/code/JsonView";
import { EmptyState } from "@/components/states/EmptyState";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { formatCompact, formatDuration, formatTime } from "@/i18n/format";
import { useActivities, type Activity } from "@/pages/subagents/queries";
import { statusOf } from "@/pages/subagents/detail/status";
import { texts } from "@/pages/subagents/texts";

const COLOURS = { done: "green", failed: "red", running: "blue", stopped: "gray" } as const;

export function Activities({ agent }: { agent: SubAgentInfo }) {
  const t = useTexts(texts);
  const activities = useActivities(agent.id);
  const writes = mayWrite(useMe());
  const none = agent.total_invocations > 0 ? "activities_not_yours" : "activities_none";
  return (
    <Resource
      query={activities}
      empty={
        <EmptyState title={t(none)} action={writes && <Link to="?tab=try">{t("try")}</Link>}>
          {t(`${none}_hint`)}
        </EmptyState>
      }
    >
      {(all) => (
        <Timeline
          style={{ paddingTop: 8 }}
          items={all.map((each) => ({
            key: each.id,
            color: COLOURS[statusOf(each)],
            content: <One activity={each} />,
          }))}
        />
      )}
    </Resource>
  );
}

export function One({ activity }: { activity: Activity }) {
  const t = useTexts(texts);
  const [open, setOpen] = useState(false);
  const status = statusOf(activity);
  const { input_data, output_data, error_message, total_tokens } = activity;
  return (
    <div style={{ minWidth: 0, overflowWrap: "break-word" }}>
      {activity.type !== "model_call" && <strong>{activity.name} </strong>}
      <Tag>{t(`type_${activity.type}`)}</Tag>
      <Tag color={COLOURS[status] === "gray" ? undefined : COLOURS[status]}>{t(`status_${status}`)}</Tag>
      <div>
        <Typography.Text type="secondary">
          {[
            formatTime(activity.started_at),
            activity.completed_at !== null && formatDuration(activity.duration_ms),
            total_tokens !== null && t("tokens", { count: formatCompact(total_tokens) }),
          ]
            .filter(Boolean)
            .join(" · ")}
        </Typography.Text>{" "}
        <LinkButton size="small" type="link" to={`/chat/${activity.session_id}`}>{t("open_chat")}</LinkButton>
        <Button size="small" type="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? "hide_detail" : "show_detail")}
        </Button>
      </div>
      {error_message && <Typography.Text type="danger">{error_message}</Typography.Text>}
      {open && <JsonView value={{ input: input_data, output: output_data }} />}
    </div>
  );
}
