/** What there is to work with: data, files, reports. */
import { Progress, Tag, Typography } from "antd";
import { Link } from "react-router";
import { GuardedLink } from "@/components/links/GuardedLink";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { formatBytes, formatTime } from "@/i18n/format";
import { Block, Nothing, OneRow, Rows } from "@/pages/overview/Block";
import { useDueReports, useSources, useWorkspace } from "@/pages/overview/queries";
import { texts } from "@/pages/overview/texts";

const SHOWN = 6;
const linkOf = (source: string): string => `/data/source?${new URLSearchParams({ source }).toString()}`;
const NEAR = 0.8;

export function Sources() {
  const t = useTexts(texts);
  const sources = useSources();
  const first = sources.data?.[0];
  return (
    <Block
      title={t("sources")}
      more={<Link to="/data">{t("all")}</Link>}
      next={first ? { to: linkOf(first.name), label: t("make_chart") } : { to: "/data", label: t("add_data") }}
    >
      <Resource
        query={sources}
        empty={<Nothing title={t("sources_none")} hint={t("sources_none_hint")} />}
      >
        {(items) => (
          <Rows>
            {items.slice(0, SHOWN).map((source) => (
              <OneRow
                key={`${source.project_id ?? ""} ${source.name}`}
                start={
                  <>
                    <GuardedLink to={linkOf(source.name)}>{source.name}</GuardedLink>
                    <Typography.Paragraph type="secondary" style={{ margin: 0 }}>
                      {source.description}
                    </Typography.Paragraph>
                  </>
                }
                end={<Tag>{source.kind}</Tag>}
              />
            ))}
          </Rows>
        )}
      </Resource>
    </Block>
  );
}

export function Files() {
  const t = useTexts(texts);
  const workspace = useWorkspace();
  return (
    <Block title={t("files")} next={{ to: "/files", label: t("open_files") }}>
      <Resource query={workspace}>
        {({ name, current_size_bytes, max_size_bytes }) => {
          const share = current_size_bytes / Math.max(1, max_size_bytes);
          const said = t("files_used", {
            name,
            used: formatBytes(current_size_bytes),
            max: formatBytes(max_size_bytes),
          });
          return (
            <>
              <Progress
                aria-label={said}
                size="small"
                percent={Math.min(100, Math.round(share * 100))}
                status={share >= 1 ? "exception" : "normal"}
              />
              {said} {share >= NEAR && <Tag color="warning">{t("files_near")}</Tag>}
            </>
          );
        }}
      </Resource>
    </Block>
  );
}

export function DueReports() {
  const t = useTexts(texts);
  const due = useDueReports();
  return (
    <Block
      title={t("reports")}
      more={<Link to="/reports">{t("open_reports")}</Link>}
      next={{ to: "/reports/new", label: t("new_report") }}
    >
      <Resource
        query={due}
        empty={<Nothing title={t("reports_none")} hint={t("reports_none_hint")} />}
      >
        {(items) => (
          <Rows>
            {items.map(({ report, schedule }) => (
              <OneRow
                key={schedule.schedule_id}
                start={
                  <>
                    <Link to={`/reports/${report.report_id}`}>{report.title}</Link>{" "}
                    {schedule.last_status === "failed" && <Tag color="error">{t("last_failed")}</Tag>}
                  </>
                }
                end={formatTime(schedule.next_at)}
              />
            ))}
          </Rows>
        )}
      </Resource>
    </Block>
  );
}
