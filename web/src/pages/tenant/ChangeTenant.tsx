import { Checkbox, Form, Input, InputNumber } from "antd";
import { useMe } from "@/api/me";
import { runsInstallation, type Tenant } from "@/api/tenant";
import { FormDialog } from "@/components/forms/FormDialog";
import { useTexts } from "@/i18n";
import { FEATURES } from "@/pages/tenant/Limits";
import { useTenantChange } from "@/pages/tenant/queries";
import { texts } from "@/pages/tenant/texts";

const COUNTS = [
  "max_users",
  "max_sessions_per_user",
  "max_mcp_servers",
  "workspace_quota_bytes",
] as const;

interface Fields extends Partial<Record<(typeof COUNTS)[number], number>> {
  name: string;
  features?: string[];
}

export function ChangeTenant({ tenant, close }: { tenant: Tenant; close: () => void }) {
  const t = useTexts(texts);
  const mayLimit = runsInstallation(useMe());
  const change = useTenantChange();
  const on = FEATURES.filter((name) => tenant.limits.features_enabled[name] !== false);
  const submit = ({ name, features = [], ...counts }: Fields) =>
    change.mutateAsync({
      name,
      version: tenant.version,
      limits: mayLimit
        ? {
            ...counts,
            features_enabled: Object.fromEntries(
              FEATURES.filter((each) => !features.includes(each)).map((each) => [each, false]),
            ),
          }
        : null,
    });
  return (
    <FormDialog<Fields>
      title={t("change_title")}
      okText={t("save")}
      initialValues={{ name: tenant.name, ...tenant.limits, features: on }}
      submit={submit}
      close={close}
    >
      <Form.Item
        name="name"
        label={t("name")}
        rules={[{ required: true, whitespace: true, message: t("required") }]}
      >
        <Input autoFocus maxLength={200} />
      </Form.Item>
      {mayLimit && (
        <>
          {COUNTS.map((name) => (
            <Form.Item key={name} name={name} label={t(name)} rules={[{ required: true }]}>
              <InputNumber min={0} precision={0} style={{ width: "100%" }} />
            </Form.Item>
          ))}
          <Form.Item name="features" label={t("features")}>
            <Checkbox.Group
              options={FEATURES.map((name) => ({ value: name, label: t(`feature_${name}`) }))}
            />
          </Form.Item>
        </>
      )}
    </FormDialog>
  );
}
