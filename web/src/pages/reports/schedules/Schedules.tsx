/** When a report runs by itself, and what came of it. */
import { CheckCircleOutlined, DeleteOutlined, PauseCircleOutlined, PlusOutlined } from "@ant-design/icons";
import { Alert, Button, Flex, Popconfirm, Tag } from "antd";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { mayWrite, useMe } from "@/api/me";
import { EmptyState } from "@/components/states/EmptyState";
import { Entries, Entry } from "@/components/tables/Entries";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { NextStep } from "@/components/states/NextStep";
import { Resource } from "@/components/states/Resource";
import { useLanguage, useTexts } from "@/i18n";
import { formatAgo, formatTime } from "@/i18n/format";
import { useChangeSchedule, useDeleteSchedule, useSchedules, type Schedule } from "@/pages/reports/queries";
import { cronWords } from "@/pages/reports/schedules/cron";
import { ScheduleForm } from "@/pages/reports/schedules/ScheduleForm";
import { texts } from "@/pages/reports/schedules/texts";

type Report = Pick<Schemas["ReportDetail"], "report_id" | "parameters">;

export function Schedules({ report }: { report: Report }) {
  const t = useTexts(texts);
  const schedules = useSchedules(report.report_id);
  const [editing, setEditing] = useState<{ schedule: Schedule | null } | null>(null);
  const add = mayWrite(useMe()) && (
    <Button icon={<PlusOutlined />} onClick={() => setEditing({ schedule: null })}>
      {t("add")}
    </Button>
  );
  return (
    <Flex vertical gap={12}>
      <Resource
        query={schedules}
        empty={
          <EmptyState title={t("empty")} action={<NextStep>{add}</NextStep>}>
            {t("empty_hint")}
          </EmptyState>
        }
      >
        {(found) => (
          <>
            <div>{add}</div>
            <Entries>
              {found.map((schedule) => (
                <ScheduleEntry
                  key={schedule.schedule_id}
                  schedule={schedule}
                  change={() => setEditing({ schedule })}
                />
              ))}
            </Entries>
          </>
        )}
      </Resource>
      {editing && (
        <ScheduleForm
          reportId={report.report_id}
          parameters={report.parameters}
          schedule={editing.schedule}
          close={() => setEditing(null)}
        />
      )}
    </Flex>
  );
}

function ScheduleEntry({ schedule, change }: { schedule: Schedule; change: () => void }) {
  const t = useTexts(texts);
  const language = useLanguage();
  const writes = mayWrite(useMe());
  const turn = useChangeSchedule(schedule);
  const remove = useDeleteSchedule(schedule);
  const words = cronWords(schedule.cron, t, language) ?? schedule.cron;
  return (
    <Entry
      title={
        <>
          {t("says", { words, zone: schedule.time_zone })}{" "}
          <Tag icon={schedule.is_active ? <CheckCircleOutlined /> : <PauseCircleOutlined />}>
            {schedule.is_active ? t("on") : t("paused")}
          </Tag>
        </>
      }
      line={
        <>
          <code>{schedule.cron}</code> · {schedule.formats.join(", ")}
          {schedule.webhook_host && ` · ${schedule.webhook_host}`}
          {schedule.is_active && ` · ${t("next", { when: formatTime(schedule.next_at) })}`}
          {schedule.last_at && schedule.last_status && (
            <div>
              {t("last", { when: formatAgo(schedule.last_at), status: t(`last_${schedule.last_status}`) })}
              {schedule.last_error && `: ${schedule.last_error}`}
              {schedule.last_webhook && ` · ${schedule.last_webhook}`}
            </div>
          )}
        </>
      }
      actions={
        writes && (
          <>
            <Button
              size="small"
              loading={turn.isPending}
              onClick={() => turn.mutate({ is_active: !schedule.is_active, version: schedule.version })}
            >
              {schedule.is_active ? t("switch_off") : t("switch_on")}
            </Button>
            <Button size="small" onClick={change}>
              {t("change")}
            </Button>
            <Popconfirm
              title={t("remove_ask")}
              description={t("remove_hint")}
              okText={t("remove")}
              onConfirm={() => remove.mutate()}
            >
              <Button
                size="small"
                danger
                icon={<DeleteOutlined />}
                aria-label={`${t("remove")}: ${words}`}
                loading={remove.isPending}
              />
            </Popconfirm>
          </>
        )
      }
    >
      {schedule.stopped_because && (
        <Alert
          type="warning"
          showIcon
          style={{ marginTop: 8 }}
          title={t("stopped", { why: schedule.stopped_because })}
        />
      )}
      {(turn.error ?? remove.error) && <ErrorNotice error={turn.error ?? remove.error} />}
    </Entry>
  );
}
