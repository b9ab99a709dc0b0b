/** What the tenant's sub-agents have where they set nothing themselves (S2's TenantAgentConfig). */
import { App, Button, Card, Flex, Form, InputNumber, Select, Typography } from "antd";
import { Link } from "react-router";
import { isAdmin, useMe } from "@/api/me";
import { useModelList } from "@/api/models";
import { useThingTitle } from "@/app/navigation/title";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { useDefaults, useSaveDefaults, type Defaults } from "@/pages/subagents/defaults/queries";
import { texts } from "@/pages/subagents/defaults/texts";

const NUMBERS = [
  { name: "max_iterations", hint: "max_iterations_hint", min: 1, max: 500, step: 1 },
  { name: "max_tokens", hint: "max_tokens_hint", min: 1, max: 1_000_000, step: 1 },
  { name: "max_depth", hint: "max_depth_hint", min: 1, max: 5, step: 1 },
  { name: "timeout_s", hint: "timeout_s_hint", min: 1, max: 86_400, step: 1 },
  { name: "temperature", hint: null, min: 0, max: 2, step: 0.1 },
  { name: "top_p", hint: null, min: 0, max: 1, step: 0.05 },
] as const;

export function DefaultsPage() {
  const t = useTexts(texts);
  const defaults = useDefaults();
  useThingTitle(t("title"));
  return (
    <Flex vertical gap={12}>
      <Link to="/subagents">← {t("to_agents")}</Link>
      <Typography.Title level={2} style={{ fontSize: 20, margin: 0 }}>
        {t("title")}
      </Typography.Title>
      <Card style={{ maxWidth: 760 }}>
        <Typography.Paragraph type="secondary">{t("hint")}</Typography.Paragraph>
        <Resource query={defaults}>{(found) => <DefaultsForm defaults={found} />}</Resource>
      </Card>
    </Flex>
  );
}

function DefaultsForm({ defaults }: { defaults: Defaults }) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const writes = isAdmin(useMe());
  const models = useModelList();
  const save = useSaveDefaults();
  const names = [...new Set([...(models.data?.models.map((each) => each.model) ?? []), ...(defaults.model ? [defaults.model] : [])])];
  // A field that was cleared is undefined; the server takes null for its own default.
  const submit = (values: Partial<Defaults>) =>
    save.mutate(
      { ...defaults, ...values, model: values.model ?? null },
      { onSuccess: () => void message.success(t("saved")) },
    );
  return (
    <Form<Defaults> layout="vertical" initialValues={defaults} disabled={!writes} onFinish={submit}>
      <Form.Item name="model" label={t("model")} extra={t("model_hint")}>
        <Select showSearch allowClear placeholder={t("server")} options={names.map((value) => ({ value, label: value }))} />
      </Form.Item>
      <Flex gap={16} wrap>
        {NUMBERS.map(({ name, hint, min, max, step }) => (
          <Form.Item key={name} name={name} label={t(name)} extra={hint && t(hint)} style={{ flex: "1 1 220px" }}>
            <InputNumber min={min} max={max} step={step} precision={step === 1 ? 0 : undefined} placeholder={t("server")} style={{ width: "100%" }} />
          </Form.Item>
        ))}
      </Flex>
      {save.error && <ErrorNotice error={save.error} />}
      {writes ? (
        <Button type="primary" htmlType="submit" loading={save.isPending}>
          {t("save")}
        </Button>
      ) : (
        <Typography.Text type="secondary">{t("readonly")}</Typography.Text>
      )}
    </Form>
  );
}
