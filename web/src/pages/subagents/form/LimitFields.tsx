/** What a sub-agent may use up, and how its model answers. */
import { Form, InputNumber, Switch } from "antd";
import { useTexts } from "@/i18n";
import { texts } from "@/pages/subagents/texts";

const HALF = { flex: "1 1 180px" } as const;

export function LimitFields() {
  const t = useTexts(texts);
  return (
    <div style={{ display: "flex", flexWrap: "wrap", columnGap: 16 }}>
      <Form.Item name="max_iterations" label={t("max_iterations")} extra={t("max_iterations_hint")} style={HALF}>
        <InputNumber min={1} max={200} precision={0} placeholder={t("default")} />
      </Form.Item>
      <Form.Item name="max_tokens" label={t("max_tokens")} extra={t("max_tokens_hint")} style={HALF}>
        <InputNumber min={1} max={1_000_000} precision={0} placeholder={t("default")} />
      </Form.Item>
      <Form.Item name="temperature" label={t("temperature")} style={HALF}>
        <InputNumber min={0} max={2} step={0.1} placeholder={t("default")} />
      </Form.Item>
      <Form.Item name="top_p" label={t("top_p")} extra={t("top_p_hint")} style={HALF}>
        <InputNumber min={0} max={1} step={0.05} placeholder={t("default")} />
      </Form.Item>
      <Form.Item name="hidden" label={t("hidden")} extra={t("hidden_hint")} valuePropName="checked" style={{ flex: "1 1 100%" }}>
        <Switch />
      </Form.Item>
    </div>
  );
}
