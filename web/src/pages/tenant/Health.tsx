import { CheckCircleOutlined, CloseCircleOutlined } from "@ant-design/icons";
import { Flex } from "antd";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { formatDuration } from "@/i18n/format";
import { useHealth, useReady } from "@/pages/tenant/queries";
import { texts } from "@/pages/tenant/texts";

export function Health() {
  const t = useTexts(texts);
  const health = useHealth();
  const ready = useReady();
  return (
    <section>
      <h2 style={{ fontSize: 18 }}>{t("health")}</h2>
      <Resource query={health}>
        {({ status, version, uptime }) => (
          <State fine={status === "ok"}>
            {t(status === "ok" ? "alive" : "stopping")}{" "}
            {t("uptime", { time: formatDuration(uptime * 1000) })}. {t("version")}: {version}
          </State>
        )}
      </Resource>
      <Resource query={ready}>
        {(checks) => {
          const fine = Object.values(checks).every((said) => said === "ok");
          return (
            <>
              <State fine={fine}>{t(fine ? "ready" : "not_ready")}</State>
              <ul style={{ listStyle: "none", margin: 0, paddingLeft: 24 }}>
                {Object.entries(checks).map(([name, said]) => (
                  <li key={name}>
                    <State fine={said === "ok"}>
                      {isCheck(name) ? t(`check_${name}`) : name}:{" "}
                      {said === "ok" ? t("ok") : `${t("failing")} (${said})`}
                    </State>
                  </li>
                ))}
              </ul>
            </>
          );
        }}
      </Resource>
    </section>
  );
}

const CHECKS = ["database", "migrations", "disk", "redis"] as const;
const isCheck = (name: string): name is (typeof CHECKS)[number] =>
  (CHECKS as readonly string[]).includes(name);

function State({ fine, children }: { fine: boolean; children: React.ReactNode }) {
  return (
    <Flex gap={8} align="center" style={{ padding: "2px 0" }}>
      {fine ? (
        <CheckCircleOutlined aria-hidden style={{ color: "var(--da-color-success)" }} />
      ) : (
        <CloseCircleOutlined aria-hidden style={{ color: "var(--da-color-error)" }} />
      )}
      <span>{children}</span>
    </Flex>
  );
}
