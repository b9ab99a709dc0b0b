/** What a sub-agent did: its tasks, the newest first, each with its steps in their order. */
import { Button, Tag, Timeline, Typography } from "antd";
import { useState } from "react";
import { Link } from "react-router";
import { mayWrite, useMe } from "@/api/me";
import type { SubAgentInfo } from "@/api/subagents";
import { LinkButton } from "@/components/links/LinkButton";
import { JsonView } from "@/components/code/JsonView";
import { Folded } from "@/components/page/Folded";
import { EmptyState } from "@/components/states/EmptyState";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { formatCompact, formatDuration, formatTime } from "@/i18n/format";
import { useActivities, type Activity } from "@/pages/subagents/queries";
import { nestingOf, type Nested, type Nesting } from "@/pages/subagents/detail/nesting";
import { statusOf } from "@/pages/subagents/detail/status";
import { texts } from "@/pages/subagents/texts";
import "@/pages/subagents/detail/activities.css";

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
        <>
          <Nest {...nestingOf(all)} />
          {activities.hasNextPage && (
            <Button loading={activities.isFetchingNextPage} onClick={() => void activities.fetchNextPage()}>
              {t("activities_more")}
            </Button>
          )}
        </>
      )}
    </Resource>
  );
}

function Nest({ tasks, loose }: Nesting) {
  const t = useTexts(texts);
  const items = tasks.map(({ activity, steps }) => ({
    key: activity.id,
    color: COLOURS[statusOf(activity)],
    content: (
      <>
        <One activity={activity} />
        <Steps steps={steps} of={activity.name} />
      </>
    ),
  }));
  if (loose.length > 0) {
    const content = (
      <>
        <Typography.Text type="secondary">{t("activities_loose")}</Typography.Text>
        <Steps steps={loose} of={t("activities_loose")} />
      </>
    );
    items.push({ key: "loose", color: "gray", content });
  }
  return <Timeline style={{ paddingTop: 8 }} items={items} />;
}

function Steps({ steps, of }: { steps: readonly Nested[]; of: string }) {
  const t = useTexts(texts);
  if (steps.length === 0) return null;
  return (
    <Folded lines={steps}>
      {(shown) => (
        <ol className="activity-steps" aria-label={t("steps_of", { name: of })}>
          {shown.map(({ activity, steps: inner }) => (
            <li key={activity.id}>
              <One activity={activity} />
              <Steps steps={inner} of={activity.name} />
            </li>
          ))}
        </ol>
      )}
    </Folded>
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
        {activity.type === "subagent" && (
          <LinkButton size="small" type="link" to={`/chat/${activity.session_id}`}>{t("open_chat")}</LinkButton>
        )}
        <Button size="small" type="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? "hide_detail" : "show_detail")}
        </Button>
      </div>
      {error_message && <Typography.Text type="danger">{error_message}</Typography.Text>}
      {open && <JsonView value={{ input: input_data, output: output_data }} />}
    </div>
  );
}
