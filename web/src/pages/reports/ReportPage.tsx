/** One report: what came of it, how it is written, when it runs by itself. */
import { App, Button, Flex, Tabs, Typography } from "antd";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { ApiError } from "@/api/errors";
import { mayWrite, useMe } from "@/api/me";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { DefinitionBox } from "@/pages/reports/DefinitionBox";
import { useChangeReport, useReport } from "@/pages/reports/queries";
import { Runs } from "@/pages/reports/Runs";
import { Schedules } from "@/pages/reports/schedules/Schedules";
import { texts } from "@/pages/reports/texts";

type Report = NonNullable<ReturnType<typeof useReport>["data"]>;

export function ReportPage() {
  const t = useTexts(texts);
  const { reportId = "" } = useParams();
  const report = useReport(reportId);
  return (
    <Flex vertical gap={12}>
      <Link to="/reports">← {t("all")}</Link>
      <Resource query={report}>
        {(found) => (
          <>
            <Typography.Title level={2} style={{ fontSize: 20, margin: 0 }}>
              {found.title}
            </Typography.Title>
            <Tabs
              items={[
                { key: "runs", label: t("runs"), children: <Runs report={found} /> },
                {
                  key: "definition",
                  label: t("definition"),
                  children: (
                    <Definition key={found.version} report={found} loadAgain={() => void report.refetch()} />
                  ),
                },
                { key: "schedules", label: t("schedules"), children: <Schedules report={found} /> },
              ]}
            />
          </>
        )}
      </Resource>
    </Flex>
  );
}

function Definition({ report, loadAgain }: { report: Report; loadAgain: () => void }) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const [definition, setDefinition] = useState(report.definition);
  const writes = mayWrite(useMe());
  const change = useChangeReport(report.report_id);
  const stale = change.error instanceof ApiError && change.error.code === "CONFLICT";
  const changed = definition !== report.definition;
  return (
    <Flex vertical gap={12}>
      <DefinitionBox value={definition} change={setDefinition} />
      {change.error && <ErrorNotice error={change.error} />}
      {writes && (
        <Flex gap={8} align="center" wrap>
          <Button
            type="primary"
            disabled={!changed}
            loading={change.isPending}
            onClick={() =>
              change.mutate(
                { definition, version: report.version },
                { onSuccess: () => void message.success(t("saved")) },
              )
            }
          >
            {t("save")}
          </Button>
          {stale && <Button onClick={loadAgain}>{t("load_again")}</Button>}
          {changed && <Typography.Text type="secondary">{t("unsaved")}</Typography.Text>}
        </Flex>
      )}
    </Flex>
  );
}
