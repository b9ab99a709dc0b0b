/** What no rule of a person changes, in words. */
import { Card, Flex, Tag, Typography } from "antd";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { useWords } from "@/i18n/words.texts";
import { asText, COLOURS, usePolicy } from "@/pages/permissions/queries";
import { texts } from "@/pages/permissions/texts";

export function Everybody() {
  const t = useTexts(texts);
  const word = useWords();
  const policy = usePolicy();
  return (
    <Card style={{ marginTop: 24 }}>
      <h2 style={{ fontSize: 18, margin: "0 0 4px" }}>{t("everybody")}</h2>
      <Typography.Paragraph>{t("deny_wins")}</Typography.Paragraph>
      <Resource query={policy}>
        {({ operator, operator_count: count, allowed_by_default, groups }) => (
          <>
            <h3 style={{ fontSize: 16 }}>{t("operator")}</h3>
            <Typography.Paragraph type="secondary">
              {t(count ? "operator_hint" : "operator_none")}{" "}
              {operator.length < count && t("operator_hidden", { count })}
            </Typography.Paragraph>
            <ul style={{ paddingLeft: 20 }}>
              {operator.map((rule) => (
                <li key={asText(rule)}>
                  <Tag color={COLOURS[rule.action]}>{t(rule.action)}</Tag>
                  <code>
                    {rule.tool} {rule.resource}
                  </code>
                </li>
              ))}
            </ul>
            <h3 style={{ fontSize: 16 }}>{t("built_in")}</h3>
            <Typography.Paragraph type="secondary">{t("built_in_hint")}</Typography.Paragraph>
            <Names names={allowed_by_default} />
            <h3 style={{ fontSize: 16, marginTop: 16 }}>{t("groups")}</h3>
            {Object.entries(groups).map(([group, tools]) => (
              <Flex key={group} gap={8} align="baseline" style={{ marginBottom: 8 }}>
                <strong style={{ minWidth: 48 }}>
                  {word("group", group)}
                  {word("group", group) !== group && <code> {group}</code>}
                </strong>
                <Names names={tools} />
              </Flex>
            ))}
          </>
        )}
      </Resource>
    </Card>
  );
}

function Names({ names }: { names: string[] }) {
  return (
    <Flex gap={4} wrap>
      {names.map((name) => (
        <Tag key={name} style={{ margin: 0 }}>
          <code>{name}</code>
        </Tag>
      ))}
    </Flex>
  );
}
