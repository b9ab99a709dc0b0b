import { Collapse, Typography } from "antd";
import { JsonView } from "@/components/code/JsonView";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import type { Server } from "@/pages/mcp/form/fields";
import { useTools } from "@/pages/mcp/queries";
import { texts } from "@/pages/mcp/texts";

export function ServerTools({ server }: { server: Server }) {
  const t = useTexts(texts);
  const tools = useTools(server);
  return (
    <div style={{ marginTop: 12 }}>
      <Resource
        query={tools}
        empty={<Typography.Text type="secondary">{t("tools_none")}</Typography.Text>}
      >
        {(items) => (
          <Collapse
            size="small"
            items={items.map((tool) => ({
              key: tool.name,
              label: (
                <>
                  <code>{tool.name}</code> {tool.title}
                </>
              ),
              children: (
                <>
                  <Typography.Paragraph style={{ whiteSpace: "pre-wrap" }}>
                    {tool.description}
                  </Typography.Paragraph>
                  <Typography.Text type="secondary">{t("schema")}</Typography.Text>
                  <JsonView value={tool.input_schema} />
                </>
              ),
            }))}
          />
        )}
      </Resource>
    </div>
  );
}
