import { AutoComplete, Flex, Select } from "antd";
import { nameOf } from "@/api/members";
import { usePeople } from "@/api/names";
import { useTexts } from "@/i18n";
import { SPANS, type Filter, type Span } from "@/pages/audit/queries";
import { texts } from "@/pages/audit/texts";

const KINDS = [
  "session",
  "run",
  "tool",
  "member",
  "user",
  "key",
  "credential",
  "model",
  "project",
  "rule",
  "assistant",
  "subagent",
  "agent_config",
  "skill",
  "composition",
  "pattern",
  "memory",
  "request",
  "data_source",
  "mcp_server",
  "mcp_policy",
  "report",
  "schedule",
  "saved_question",
  "semantic_model",
  "budget",
  "workspace",
  "file",
  "tenant",
] as const;

export function Filters({ filter, set }: { filter: Filter; set: (filter: Filter) => void }) {
  const t = useTexts(texts);
  const people = usePeople(true);
  return (
    <Flex gap={8} wrap style={{ marginBottom: 16 }}>
      <Select
        aria-label={t("actor")}
        allowClear
        showSearch={{ optionFilterProp: "label" }}
        placeholder={t("actor_anybody")}
        value={filter.actor}
        onChange={(actor?: string) => set({ ...filter, actor })}
        style={{ minWidth: 180 }}
        options={people.data?.map((each) => ({
          value: `user:${each.user_id}`,
          label: nameOf(each),
        }))}
      />
      <AutoComplete
        aria-label={t("action")}
        allowClear
        placeholder={t("action_any")}
        value={filter.action}
        onChange={(action?: string) => set({ ...filter, action: action || undefined })}
        style={{ minWidth: 220 }}
        options={KINDS.map((kind) => ({
          value: `${kind}.*`,
          label: t(`kind_${kind}`),
        }))}
      />
      <Select<Span>
        aria-label={t("since")}
        value={filter.span}
        onChange={(span) => set({ ...filter, span })}
        style={{ minWidth: 150 }}
        options={(Object.keys(SPANS) as Span[]).map((span) => ({ value: span, label: t(span) }))}
      />
    </Flex>
  );
}
