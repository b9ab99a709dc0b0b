/** What an admin may know of the server; changing it is its operator's. */
import { Descriptions, Typography } from "antd";
import { BASE_PATH } from "@/api/client";
import { CodeLine } from "@/components/code/CodeLine";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { useVersion } from "@/pages/settings/queries";
import { Section } from "@/pages/settings/Section";
import { texts } from "@/pages/settings/texts";

export function Server() {
  const t = useTexts(texts);
  const version = useVersion();
  return (
    <Section title={t("server")}>
      <Resource query={version}>
        {(found) => (
          <Descriptions
            column={1}
            items={[
              { key: "version", label: t("version"), children: found.version },
              { key: "api", label: t("api_version"), children: found.api_version },
              { key: "python", label: t("python"), children: found.python },
              {
                key: "address",
                label: t("address"),
                children: `${window.location.origin}${BASE_PATH}`,
              },
            ]}
          />
        )}
      </Resource>
      <Typography.Paragraph>
        <a href={`${BASE_PATH}/api/docs`} target="_blank" rel="noopener noreferrer">
          {t("api_docs")}
        </a>
      </Typography.Paragraph>
      <Typography.Paragraph type="secondary">{t("operator")}</Typography.Paragraph>
      <CodeLine text="dataagent config show" />
    </Section>
  );
}
