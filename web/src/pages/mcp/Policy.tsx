/** What the tenant lets programs do: shown to everybody, changed by admins. */
import { Alert, App, Button, Collapse, Form, Select, Typography } from "antd";
import { isAdmin, useMe } from "@/api/me";
import type { Schemas } from "@/api/client";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { useChangePolicy, usePolicy } from "@/pages/mcp/queries";
import { texts } from "@/pages/mcp/texts";

type PolicyInfo = Schemas["PolicyInfo"];
type Network = PolicyInfo["network"];
export const NETWORKS: readonly Network[] = ["none", "hosts", "full"];

export function Policy() {
  const t = useTexts(texts);
  const admin = isAdmin(useMe());
  const { data: policy } = usePolicy();
  if (!policy) return null;
  return (
    <div>
      {policy.commands.length === 0 && (
        <Alert
          type="info"
          showIcon
          title={t("policy_none")}
          description={t(admin ? "policy_none_admin" : "policy_none_ask")}
          style={{ marginBottom: 12 }}
        />
      )}
      <Collapse
        defaultActiveKey={admin && policy.commands.length === 0 ? ["policy"] : []}
        items={[
          {
            key: "policy",
            label: t("policy"),
            children: admin ? <PolicyForm policy={policy} /> : <PolicyText policy={policy} />,
          },
        ]}
      />
    </div>
  );
}

function PolicyText({ policy }: { policy: PolicyInfo }) {
  const t = useTexts(texts);
  return (
    <>
      <Typography.Paragraph>
        {t("policy_commands")}: <code>{policy.commands.join(", ") || "–"}</code>
      </Typography.Paragraph>
      <Typography.Paragraph>
        {t("policy_network")}: {t(`network_${policy.network}`)}
      </Typography.Paragraph>
      <Limits policy={policy} />
    </>
  );
}

function PolicyForm({ policy }: { policy: PolicyInfo }) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const change = useChangePolicy();
  const widest = NETWORKS.indexOf(policy.network_max);
  return (
    <Form<Pick<PolicyInfo, "commands" | "network">>
      layout="vertical"
      initialValues={policy}
      onFinish={(body) =>
        change.mutate(body, { onSuccess: () => void message.success(t("policy_saved")) })
      }
    >
      <Form.Item name="commands" label={t("policy_commands")} extra={t("policy_commands_hint")}>
        <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[","]} />
      </Form.Item>
      <Form.Item name="network" label={t("policy_network")}>
        <Select
          options={NETWORKS.slice(0, widest + 1).map((value) => ({
            value,
            label: t(`network_${value}`),
          }))}
        />
      </Form.Item>
      <Limits policy={policy} />
      {change.error && <ErrorNotice error={change.error} />}
      <Button htmlType="submit" type="primary" loading={change.isPending}>
        {t("save")}
      </Button>
    </Form>
  );
}

function Limits({ policy }: { policy: PolicyInfo }) {
  const t = useTexts(texts);
  const paths = [...policy.read_paths, ...policy.write_paths];
  return (
    <Typography.Paragraph type="secondary">
      {t("policy_most", { network: t(`network_${policy.network_max}`) })}
      {paths.length > 0 && ` ${t("policy_paths", { paths: paths.join(", ") })}`}
    </Typography.Paragraph>
  );
}
