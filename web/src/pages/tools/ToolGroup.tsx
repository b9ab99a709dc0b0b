/** The tools of one source, each a line that opens. */
import { Collapse, Flex, Tag, Tooltip, Typography } from "antd";
import { JsonView } from "@/components/code/JsonView";
import { useTexts, type Say } from "@/i18n";
import type { Tool } from "@/pages/tools/queries";
import { texts } from "@/pages/tools/texts";

const ACTION_COLOURS = { allow: "success", ask: "warning", deny: "error" } as const;

export function ToolGroup({ source, tools }: { source: string; tools: Tool[] }) {
  const t = useTexts(texts);
  return (
    <section style={{ marginBottom: 20 }}>
      <Typography.Title level={2} style={{ fontSize: 16 }}>
        {sourceName(source, t)}
      </Typography.Title>
      <Collapse
        size="small"
        items={tools.map((tool) => ({
          key: tool.name,
          label: <Line tool={tool} />,
          children: <Detail tool={tool} />,
        }))}
      />
    </section>
  );
}

function Line({ tool }: { tool: Tool }) {
  const t = useTexts(texts);
  return (
    <Flex gap={8} wrap align="center" justify="space-between">
      <code style={{ overflowWrap: "anywhere" }}>{tool.name}</code>
      <Flex gap={4} wrap>
        <Tag>{t(`effect_${tool.effect}`)}</Tag>
        <Tooltip title={t(`shown_hint_${tool.shown}`)}>
          <Tag>{t(`shown_${tool.shown}`)}</Tag>
        </Tooltip>
        <Tag color={ACTION_COLOURS[tool.rule.action]}>
          {t(`action_${tool.rule.action}`)} {t(`by_${tool.rule.source}`)}
        </Tag>
      </Flex>
    </Flex>
  );
}

function Detail({ tool }: { tool: Tool }) {
  const t = useTexts(texts);
  const { reason, resource } = tool.rule;
  return (
    <>
      <Typography.Paragraph style={{ whiteSpace: "pre-wrap", overflowWrap: "break-word" }}>
        {tool.description}
      </Typography.Paragraph>
      <Typography.Paragraph>
        {t("why")}: {reason} {resource !== null && t("rule_for", { resource })}
        <br />
        <Typography.Text type="secondary">
          {t("rule_note")} {t(`shown_hint_${tool.shown}`)}
        </Typography.Text>
      </Typography.Paragraph>
      <Typography.Text type="secondary">{t("schema")}</Typography.Text>
      <JsonView value={tool.input_schema} />
    </>
  );
}

function sourceName(source: string, t: Say<keyof typeof texts.en>): string {
  if (source.startsWith("mcp:")) return t("source_mcp", { name: source.slice(4) });
  if (source === "built-in") return t("source_builtin");
  if (source === "extra" || source === "composition") return t(`source_${source}`);
  return source;
}
