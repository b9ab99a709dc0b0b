import { Descriptions, Typography } from "antd";
import { useMe } from "@/api/me";
import { runsInstallation, type Tenant } from "@/api/tenant";
import { useTexts } from "@/i18n";
import { formatBytes, formatNumber } from "@/i18n/format";
import { texts } from "@/pages/tenant/texts";

export const FEATURES = ["code_execution", "web", "api_keys", "assistants", "mcp", "patterns", "memory"] as const;

export function Limits({ tenant }: { tenant: Tenant }) {
  const t = useTexts(texts);
  const me = useMe();
  const { limits } = tenant;
  return (
    <section style={{ marginBottom: 24 }}>
      <h2 style={{ fontSize: 18 }}>{t("limits")}</h2>
      <Descriptions
        bordered
        size="small"
        column={{ xs: 1, md: 2 }}
        items={[
          { key: "u", label: t("max_users"), children: formatNumber(limits.max_users) },
          {
            key: "s",
            label: t("max_sessions_per_user"),
            children: formatNumber(limits.max_sessions_per_user),
          },
          { key: "m", label: t("max_mcp_servers"), children: formatNumber(limits.max_mcp_servers) },
          {
            key: "w",
            label: t("workspace_quota_bytes"),
            children: formatBytes(limits.workspace_quota_bytes),
          },
          {
            key: "f",
            label: t("features"),
            children: FEATURES.map((name) => {
              const state = limits.features_enabled[name] === false ? "off" : "on";
              return `${t(`feature_${name}`)}: ${t(state)}`;
            }).join(" · "),
          },
        ]}
      />
      {!runsInstallation(me) && (
        <Typography.Text type="secondary">{t("limits_operator")}</Typography.Text>
      )}
    </section>
  );
}
