/** Runs a report and shows what came of it: files to download, the web page in a frame that may do nothing. */
import {
  CaretRightOutlined,
  CheckCircleOutlined,
  CloseCircleOutlined,
  DownloadOutlined,
  EyeOutlined,
  LoadingOutlined,
} from "@ant-design/icons";
import { Alert, Button, Checkbox, Flex, Modal, Tag, Typography } from "antd";
import { useState, type ReactNode } from "react";
import type { Schemas } from "@/api/client";
import { mayWrite, useMe } from "@/api/me";
import { EmptyState } from "@/components/states/EmptyState";
import { Entries, Entry } from "@/components/tables/Entries";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { FramedPage } from "@/components/page/FramedPage";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { formatAgo, formatBytes, formatDuration, formatTime } from "@/i18n/format";
import { ParameterFields, type Values } from "@/pages/reports/ParameterFields";
import { fileAddress, useRunReport, useRuns, type Run } from "@/pages/reports/queries";
import { texts } from "@/pages/reports/texts";

const FORMATS = ["html", "pdf", "md"] as const;
type Format = (typeof FORMATS)[number];

const ICONS: Record<Run["status"], ReactNode> = {
  running: <LoadingOutlined />,
  done: <CheckCircleOutlined style={{ color: "var(--da-color-success)" }} />,
  failed: <CloseCircleOutlined style={{ color: "var(--da-color-error)" }} />,
};

interface Props {
  report: Pick<Schemas["ReportDetail"], "report_id" | "parameters">;
}

export function Runs({ report }: Props) {
  const t = useTexts(texts);
  const writes = mayWrite(useMe());
  const runs = useRuns(report.report_id);
  const run = useRunReport(report.report_id);
  const [formats, setFormats] = useState<Format[]>(["html", "pdf"]);
  const [values, setValues] = useState<Values>({});
  const [shown, setShown] = useState<Run | null>(null);
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const go = (
    <Button
      type="primary"
      icon={<CaretRightOutlined />}
      loading={run.isPending}
      disabled={formats.length === 0}
      onClick={() => run.mutate({ parameters: values, formats, time_zone })}
    >
      {t("run")}
    </Button>
  );
  return (
    <Flex vertical gap={12}>
      {writes && report.parameters.length > 0 && (
        <section aria-label={t("parameters")}>
          <Typography.Title level={3} style={{ fontSize: 15 }}>
            {t("parameters")}
          </Typography.Title>
          <ParameterFields parameters={report.parameters} values={values} change={setValues} />
        </section>
      )}
      {writes && (
        <Flex gap={12} wrap align="center">
          {go}
          <span>{t("formats")}</span>
          <Checkbox.Group
            value={formats}
            onChange={setFormats}
            options={FORMATS.map((format) => ({ value: format, label: t(`format_${format}`) }))}
          />
        </Flex>
      )}
      {run.error && <ErrorNotice error={run.error} />}
      <Resource query={runs} empty={<EmptyState title={t("runs_empty")}>{t("runs_empty_hint")}</EmptyState>}>
        {(found) => (
          <Entries>
            {found.map((each) => (
              <RunEntry key={each.run_id} run={each} preview={() => setShown(each)} />
            ))}
          </Entries>
        )}
      </Resource>
      <Modal
        open={shown !== null}
        onCancel={() => setShown(null)}
        footer={null}
        width="min(1100px, 96vw)"
        style={{ top: 20 }}
        title={t("preview_of")}
        destroyOnHidden
      >
        {shown && (
          <FramedPage title={t("preview_of")} src={fileAddress(shown, "html", true)} height="78vh" />
        )}
      </Modal>
    </Flex>
  );
}

function RunEntry({ run, preview }: { run: Run; preview: () => void }) {
  const t = useTexts(texts);
  const took = run.finished_at && Date.parse(run.finished_at) - Date.parse(run.created_at);
  const page = run.files.find((file) => file.name.endsWith(".html"));
  return (
    <Entry
      title={
        <>
          {formatTime(run.created_at)} <Tag icon={ICONS[run.status]}>{t(`status_${run.status}`)}</Tag>
          {run.schedule_id && <Tag>{t("by_schedule")}</Tag>}
        </>
      }
      line={[
        formatAgo(run.created_at),
        took !== null && took !== "" && formatDuration(took),
        run.files.length > 0 && t("files_until", { when: formatTime(run.expires_at) }),
      ]
        .filter(Boolean)
        .join(" · ")}
      actions={
        <>
          {page && (
            <Button size="small" type="primary" icon={<EyeOutlined />} onClick={preview}>
              {t("preview")}
            </Button>
          )}
          {run.files.map((file) => (
            <Button
              key={file.name}
              size="small"
              icon={<DownloadOutlined />}
              href={fileAddress(run, file.name)}
              download
              aria-label={t("download", { name: file.name })}
            >
              {file.name.split(".").at(-1)?.toUpperCase()} · {formatBytes(file.size_bytes)}
            </Button>
          ))}
        </>
      }
    >
      {run.error && <Alert type="error" showIcon style={{ marginTop: 8 }} title={run.error} />}
    </Entry>
  );
}
