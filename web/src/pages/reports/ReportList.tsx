import { DeleteOutlined } from "@ant-design/icons";
import { Button, Popconfirm } from "antd";
import { Link } from "react-router";
import type { Schemas } from "@/api/client";
import { mayWrite, useMe } from "@/api/me";
import { EmptyState } from "@/components/states/EmptyState";
import { Entries, Entry } from "@/components/tables/Entries";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { LinkButton } from "@/components/links/LinkButton";
import { NextStep } from "@/components/states/NextStep";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { formatAgo } from "@/i18n/format";
import { useDeleteReport, useReports } from "@/pages/reports/queries";
import { texts } from "@/pages/reports/texts";

export function ReportList() {
  const t = useTexts(texts);
  return (
    <Resource
      query={useReports()}
      empty={
        <EmptyState
          title={t("empty")}
          action={
            <NextStep>
              <LinkButton to="/reports/new">{t("new")}</LinkButton>
            </NextStep>
          }
        >
          {t("empty_hint")}
        </EmptyState>
      }
    >
      {(reports) => (
        <Entries>
          {[...reports]
            .sort((a, b) => b.updated_at.localeCompare(a.updated_at))
            .map((report) => (
              <ReportEntry key={report.report_id} report={report} />
            ))}
        </Entries>
      )}
    </Resource>
  );
}

function ReportEntry({ report }: { report: Schemas["ReportInfo"] }) {
  const t = useTexts(texts);
  const writes = mayWrite(useMe());
  const remove = useDeleteReport(report.report_id);
  return (
    <Entry
      title={<Link to={`/reports/${report.report_id}`}>{report.title}</Link>}
      line={
        <>
          {t("changed", { when: formatAgo(report.updated_at) })}
          {report.session_id && (
            <>
              {" · "}
              <Link to={`/chat/${report.session_id}`}>{t("by_agent")}</Link>
            </>
          )}
        </>
      }
      actions={
        writes && (
          <Popconfirm
            title={t("remove_ask", { name: report.title })}
            description={t("remove_hint")}
            okText={t("remove")}
            onConfirm={() => remove.mutate()}
          >
            <Button
              size="small"
              danger
              icon={<DeleteOutlined />}
              aria-label={`${t("remove")} ${report.title}`}
              loading={remove.isPending}
            />
          </Popconfirm>
        )
      }
    >
      {remove.error && <ErrorNotice error={remove.error} />}
    </Entry>
  );
}
