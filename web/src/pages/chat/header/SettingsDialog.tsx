/** How the agent works in this session: its loop, its plans, and whether it learns from them. */
import { useQueryClient } from "@tanstack/react-query";
import { Form, InputNumber, Select, Switch } from "antd";
import { api, dataOf, type Schemas } from "@/api/client";
import { FormDialog } from "@/components/forms/FormDialog";
import { settingsTexts } from "@/pages/chat/header/settings.texts";
import { keys } from "@/pages/chat/session/queries";
import { useTexts } from "@/i18n";

type Session = Schemas["SessionInfo"];

interface Settings {
  agent_mode: "react" | "staged";
  max_concurrent_steps: number;
  planning_timeout_ms: number;
  enable_workflow_learning: boolean;
}

/** What a person sets in seconds is sent in milliseconds. */
type Values = Omit<Settings, "planning_timeout_ms"> & { timeoutS: number };

const DEFAULTS: Settings = {
  agent_mode: "react",
  max_concurrent_steps: 5,
  planning_timeout_ms: 5000,
  enable_workflow_learning: true,
};

export function SettingsDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const t = useTexts(settingsTexts);
  const queries = useQueryClient();
  const now = { ...DEFAULTS, ...known(session) };
  const submit = async ({ timeoutS, ...rest }: Values) => {
    const wanted: Settings = { ...rest, planning_timeout_ms: Math.round(timeoutS * 1000) };
    // What is not changed stays as a later change of the defaults makes it.
    const changed = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => value !== now[name as keyof Settings]));
    if (Object.keys(changed).length === 0) return;
    const params = { path: { session_id: session.session_id } };
    await dataOf(api.PATCH("/api/v1/sessions/{session_id}", { params, body: changed as Schemas["SessionUpdate"] }));
    await queries.invalidateQueries({ queryKey: keys.session(session.session_id), exact: true });
  };
  return (
    <FormDialog<Values>
      title={t("title")}
      okText={t("save")}
      initialValues={{ ...now, timeoutS: now.planning_timeout_ms / 1000 }}
      submit={submit}
      close={onClose}
    >
      <Form.Item name="agent_mode" label={t("agent_mode")}>
        <Select
          options={[
            { value: "react", label: t("react") },
            { value: "staged", label: t("staged") },
          ]}
        />
      </Form.Item>
      <Form.Item name="max_concurrent_steps" label={t("max_concurrent_steps")} rules={[{ required: true, message: t("number") }]}>
        <InputNumber min={1} max={20} precision={0} />
      </Form.Item>
      <Form.Item name="timeoutS" label={t("timeout")} rules={[{ required: true, message: t("number") }]}>
        <InputNumber min={0.1} max={600} step={1} />
      </Form.Item>
      <Form.Item name="enable_workflow_learning" label={t("learning")} extra={t("learning_hint")} valuePropName="checked">
        <Switch />
      </Form.Item>
    </FormDialog>
  );
}

function known(session: Session): Partial<Settings> {
  const named = Object.entries(session).filter(([name, value]) => name in DEFAULTS && value !== null && value !== undefined);
  return Object.fromEntries(named) as Partial<Settings>;
}
