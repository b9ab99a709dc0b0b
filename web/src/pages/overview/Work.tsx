/** What goes on: what waits for a person, what runs, what was talked about last. */
import { Tag, Typography } from "antd";
import { useState } from "react";
import { Link } from "react-router";
import { isAdmin, useMe } from "@/api/me";
import { useTitles } from "@/api/names";
import { runName } from "@/api/runs";
import { useRequests } from "@/api/requests";
import { LinkButton } from "@/components/links/LinkButton";
import { Resource } from "@/components/states/Resource";
import { Segments } from "@/components/forms/Segments";
import { useTexts } from "@/i18n";
import { formatAgo, formatDuration } from "@/i18n/format";
import { Block, Nothing, OneRow, Rows } from "@/pages/overview/Block";
import { useOpenRuns, useRecentSessions } from "@/pages/overview/queries";
import { texts } from "@/pages/overview/texts";

export function Requests() {
  const t = useTexts(texts);
  const [whose, setWhose] = useState<"mine" | "everybody">("mine");
  const requests = useRequests(whose);
  const choice = isAdmin(useMe()) && (
    <Segments
      size="small"
      aria-label={t("waiting_whose")}
      value={whose}
      onChange={setWhose}
      options={[
        { value: "mine", label: t("waiting_mine") },
        { value: "everybody", label: t("waiting_everybody") },
      ]}
    />
  );
  return (
    <Block
      title={t(whose === "mine" ? "waiting" : "waiting_somebody")}
      more={choice}
      next={requests.data?.length ? null : { to: "/activity", label: t("see_activity") }}
    >
      <Resource
        query={requests}
        empty={
          <Nothing
            title={t(whose === "mine" ? "waiting_none" : "waiting_none_everybody")}
            hint={t("waiting_none_hint")}
          />
        }
      >
        {(items) => (
          <Rows>
            {items.map(({ interrupt_id, kind, request, session_id, created_at }) => (
              <OneRow
                key={interrupt_id}
                start={
                  <>
                    <Tag color="warning">{t(`kind_${kind}`)}</Tag>
                    {wordsOf(request)}{" "}
                    <Typography.Text type="secondary">{formatAgo(created_at)}</Typography.Text>
                  </>
                }
                end={
                  <LinkButton to={`/chat/${session_id}`} type="primary" size="small">{t("answer")}</LinkButton>
                }
              />
            ))}
          </Rows>
        )}
      </Resource>
    </Block>
  );
}

export function Running() {
  const t = useTexts(texts);
  const runs = useOpenRuns();
  const titles = useTitles(false);
  return (
    <Block
      title={t("running")}
      more={<Link to="/activity">{t("all")}</Link>}
      next={runs.data?.length ? null : { to: "/chat", label: t("new_chat") }}
    >
      <Resource query={runs} empty={<Nothing title={t("running_none")} />}>
        {(items) => (
          <Rows>
            {items.map((run) => (
              <OneRow
                key={run.run_id}
                start={
                  <>
                    <Link to={`/chat/${run.session_id}`}>
                      {runName(run) || titles.data?.get(run.session_id) || t("untitled")}
                    </Link>
                    <Typography.Paragraph type="secondary" style={{ margin: 0 }}>
                      {run.status === "queued" || !run.started_at
                        ? t("queued")
                        : run.status === "waiting_approval"
                          ? t("waits")
                          : t("running_for", {
                              time: formatDuration(Date.now() - Date.parse(run.started_at)),
                            })}
                    </Typography.Paragraph>
                  </>
                }
                end={
                  <LinkButton to={`/activity/${run.run_id}`} size="small">{t("see")}</LinkButton>
                }
              />
            ))}
          </Rows>
        )}
      </Resource>
    </Block>
  );
}

export function Sessions() {
  const t = useTexts(texts);
  const sessions = useRecentSessions();
  const last = sessions.data?.[0];
  return (
    <Block
      title={t("sessions")}
      more={<Link to="/chat">{t("all")}</Link>}
      next={
        last
          ? { to: `/chat/${last.session_id}`, label: t("go_on") }
          : { to: "/chat", label: t("new_chat") }
      }
    >
      <Resource
        query={sessions}
        empty={<Nothing title={t("sessions_none")} hint={t("sessions_none_hint")} />}
      >
        {(items) => (
          <Rows>
            {items.map((session) => (
              <OneRow
                key={session.session_id}
                start={
                  <Link to={`/chat/${session.session_id}`}>{session.title || t("untitled")}</Link>
                }
                end={
                  <Typography.Text type="secondary">{formatAgo(session.last_active)}</Typography.Text>
                }
              />
            ))}
          </Rows>
        )}
      </Resource>
    </Block>
  );
}

/** The question, or the first thing it is about. */
function wordsOf(request: Record<string, unknown>): string {
  if (typeof request.question === "string") return request.question;
  const [first] = Array.isArray(request.action_requests)
    ? (request.action_requests as { name?: string; description?: string }[])
    : [];
  const said = first?.description ?? first?.name ?? "";
  return said.length > 120 ? `${said.slice(0, 120)}…` : said;
}
