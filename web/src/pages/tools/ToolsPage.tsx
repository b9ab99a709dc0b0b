/** The agent's tools. Rules are changed under Permissions; here their effect is shown. */
import { Alert, Button, Flex, Input, Typography } from "antd";
import { useState } from "react";
import { EmptyState } from "@/components/states/EmptyState";
import { Resource } from "@/components/states/Resource";
import { Segments } from "@/components/forms/Segments";
import { useTexts } from "@/i18n";
import { fitting, grouped, type Action } from "@/pages/tools/choosing";
import { useTools, type Tool } from "@/pages/tools/queries";
import { texts } from "@/pages/tools/texts";
import { ToolGroup } from "@/pages/tools/ToolGroup";

const ACTIONS = ["all", "allow", "ask", "deny"] as const;

export function ToolsPage() {
  const t = useTexts(texts);
  const tools = useTools();
  return (
    <>
      <Typography.Paragraph type="secondary" style={{ maxWidth: 720 }}>
        {t("rules_note")}
      </Typography.Paragraph>
      {tools.isPending && (
        <Typography.Paragraph type="secondary" style={{ textAlign: "center" }}>
          {t("asking")}
        </Typography.Paragraph>
      )}
      <Resource query={tools}>
        {({ tools: all, notes }) => (
          <>
            {notes.length > 0 && (
              <Alert
                type="warning"
                showIcon
                style={{ marginBottom: 12 }}
                title={t("missing")}
                description={notes.map((note) => (
                  <div key={note}>{note}</div>
                ))}
              />
            )}
            <Chosen all={all} />
          </>
        )}
      </Resource>
    </>
  );
}

function Chosen({ all }: { all: Tool[] }) {
  const t = useTexts(texts);
  const [query, setQuery] = useState("");
  const [action, setAction] = useState<Action | "all">("all");
  const found = fitting(all, query, action);
  return (
    <>
      <Flex gap={12} wrap align="center" style={{ marginBottom: 12 }}>
        <Input.Search
          allowClear
          aria-label={t("search")}
          placeholder={t("search")}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          style={{ maxWidth: 320 }}
        />
        <Segments<Action | "all">
          aria-label={t("rule_filter")}
          value={action}
          onChange={setAction}
          options={ACTIONS.map((value) => ({
            value,
            label: value === "all" ? t("all") : t(`action_${value}`),
          }))}
        />
        <Typography.Text type="secondary" role="status">
          {t("count", { shown: found.length, all: all.length })}
        </Typography.Text>
      </Flex>
      {found.length === 0 && (
        <EmptyState
          title={t("none", { query })}
          action={<Button onClick={() => (setQuery(""), setAction("all"))}>{t("clear")}</Button>}
        >
          {t("none_hint")}
        </EmptyState>
      )}
      {grouped(found).map(([source, tools]) => (
        <ToolGroup key={source} source={source} tools={tools} />
      ))}
    </>
  );
}
