/** How the agent works in this session: its loop, its plans, and whether it learns from them. */
import { useQueryClient } from "@tanstack/react-query";
import { Form, InputNumber, Select, Switch } from "antd";
import { api, dataOf, type Schemas } from "@/api/client";
import { FormDialog } from "@/components/forms/FormDialog";
import { settingsTexts } from "@/pages/chat/header/settings.texts";
import { keys } from "@/pages/chat/session/queries";
import { useTexts } from "@/i18n";

type Session = Schemas["SessionInfo"];

const NAMES = ["agent_mode", "max_concurrent_steps", "planning_timeout_ms", "enable_workflow_learning"] as const;
type Settings = Required<Pick<Session, (typeof NAMES)[number]>>;

/** What a person sets in seconds is sent in milliseconds. */
type Values = Omit<Settings, "planning_timeout_ms"> & { timeoutS: number };

export function SettingsDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const t = useTexts(settingsTexts);
  const queries = useQueryClient();
  const { agent_mode, max_concurrent_steps, planning_timeout_ms = 5000, enable_workflow_learning } = session;
  const submit = async ({ timeoutS, ...rest }: Values) => {
    const wanted: Settings = { ...rest, planning_timeout_ms: Math.round(timeoutS * 1000) };
    // What is not changed stays as a later change of the defaults makes it.
    const names = NAMES.filter((name) => wanted[name] !== session[name]);
    if (names.length === 0) return;
    const changed = Object.fromEntries(names.map((name) => [name, wanted[name]]));
    const params = { path: { session_id: session.session_id } };
    await dataOf(api.PATCH("/api/v1/sessions/{session_id}", { params, body: changed }));
    await queries.invalidateQueries({ queryKey: keys.session(session.session_id), exact: true });
  };
  return (
    <FormDialog<Values>
      title={t("title")}
      okText={t("save")}
      initialValues={{ agent_mode, max_concurrent_steps, enable_workflow_learning, timeoutS: planning_timeout_ms / 1000 }}
      submit={submit}
      close={onClose}
    >
      <Form.Item name="agent_mode" label={t("agent_mode")} required>
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
      <Form.Item name="enable_workflow_learning" label={t("learning")} extra={t("learning_hint")} valuePropName="checked" required>
        <Switch />
      </Form.Item>
    </FormDialog>
  );
}
