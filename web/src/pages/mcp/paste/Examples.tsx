import { Button, Collapse, Flex, Typography } from "antd";
import type { Schemas } from "@/api/client";
import { useTexts } from "@/i18n";
import { EXAMPLES } from "@/pages/mcp/paste/examples";
import { texts } from "@/pages/mcp/texts";

export function Examples({ use }: { use: (server: Schemas["MCPServerCreate"]) => void }) {
  const t = useTexts(texts);
  return (
    <Collapse
      items={[
        {
          key: "examples",
          label: t("examples"),
          children: (
            <>
              <Typography.Paragraph type="secondary">{t("examples_hint")}</Typography.Paragraph>
              {EXAMPLES.map(({ id, server }) => (
                <Flex key={id} justify="space-between" align="start" gap={12} style={{ padding: "6px 0" }}>
                  <div style={{ minWidth: 0 }}>
                    <strong>{server.name}</strong> <span>{t(`example_${id}`)}</span>
                    <br />
                    <code style={{ overflowWrap: "anywhere" }}>
                      {server.url ?? [server.command, ...(server.args ?? [])].join(" ")}
                    </code>
                  </div>
                  <Button aria-label={`${t("use")} ${server.name}`} onClick={() => use(server)}>
                    {t("use")}
                  </Button>
                </Flex>
              ))}
            </>
          ),
        },
      ]}
    />
  );
}
