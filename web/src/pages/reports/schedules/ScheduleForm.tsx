/** A new or changed schedule: time, time zone, files, recipients. */
import { Button, Checkbox, Drawer, Flex, Form, Input, Select } from "antd";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { ParameterFields, type Values } from "@/pages/reports/ParameterFields";
import { useSaveSchedule, type Schedule } from "@/pages/reports/queries";
import { choiceOf, cronOf } from "@/pages/reports/schedules/cron";
import { texts } from "@/pages/reports/schedules/texts";
import { WhenFields } from "@/pages/reports/schedules/WhenFields";

const FORMATS = ["pdf", "html", "md"] as const;
type Format = (typeof FORMATS)[number];
const MORNING = "0 8 * * 1-5";
const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const ZONES = [...new Set([HERE, "UTC", ...Intl.supportedValuesOf("timeZone")])];

interface Props {
  reportId: string;
  parameters: Schemas["ReportParameter"][];
  schedule: Schedule | null;
  close: () => void;
}

export function ScheduleForm({ reportId, parameters, schedule, close }: Props) {
  const t = useTexts(texts);
  const save = useSaveSchedule(reportId, schedule);
  const [choice, setChoice] = useState(choiceOf(schedule?.cron ?? MORNING));
  const [zone, setZone] = useState(schedule?.time_zone ?? HERE);
  const [formats, setFormats] = useState((schedule?.formats ?? ["pdf", "html"]) as Format[]);
  const [values, setValues] = useState((schedule?.parameters ?? {}) as Values);
  const [url, setUrl] = useState("");
  const [secret, setSecret] = useState("");
  const [noWebhook, setNoWebhook] = useState(false);
  const half = Boolean(url) !== Boolean(secret);
  const webhook = noWebhook ? { webhook: null } : url && secret ? { webhook: { url, secret } } : {};
  return (
    <Drawer
      open
      onClose={close}
      size={520}
      title={schedule ? t("title_change") : t("title_new")}
      footer={
        <Flex justify="end">
          <Button
            type="primary"
            loading={save.isPending}
            disabled={formats.length === 0 || half}
            onClick={() =>
              save.mutate(
                { cron: cronOf(choice), time_zone: zone, formats, parameters: values, ...webhook },
                { onSuccess: close },
              )
            }
          >
            {t("save")}
          </Button>
        </Flex>
      }
    >
      {save.error && <ErrorNotice error={save.error} />}
      <Form layout="vertical" component="div">
        <WhenFields choice={choice} zone={zone} change={setChoice} />
        <Form.Item label={t("zone")}>
          <Select
            value={zone}
            onChange={setZone}
            aria-label={t("zone")}
            showSearch
            options={ZONES.map((name) => ({ value: name, label: name }))}
          />
        </Form.Item>
        <Form.Item label={t("formats")}>
          <Checkbox.Group
            value={formats}
            onChange={setFormats}
            options={FORMATS.map((format) => ({ value: format, label: format.toUpperCase() }))}
          />
        </Form.Item>
        <ParameterFields parameters={parameters} values={values} change={setValues} />
        <Form.Item
          label={t("webhook")}
          extra={schedule?.webhook_host ? t("webhook_keep", { host: schedule.webhook_host }) : undefined}
        >
          <Flex vertical gap={8}>
            <Input
              value={url}
              disabled={noWebhook}
              placeholder={t("webhook_url")}
              aria-label={t("webhook_url")}
              autoComplete="off"
              onChange={(event) => setUrl(event.target.value)}
            />
            <Input.Password
              value={secret}
              disabled={noWebhook}
              placeholder={t("webhook_secret")}
              aria-label={t("webhook_secret")}
              autoComplete="new-password"
              onChange={(event) => setSecret(event.target.value)}
            />
            <span>{half ? t("webhook_both") : t("webhook_secret_hint")}</span>
            {schedule?.webhook_host && (
              <Checkbox checked={noWebhook} onChange={(event) => setNoWebhook(event.target.checked)}>
                {t("webhook_none")}
              </Checkbox>
            )}
          </Flex>
        </Form.Item>
      </Form>
    </Drawer>
  );
}
