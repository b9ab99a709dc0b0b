import { Button, Popconfirm, Table, Tag } from "antd";
import { isAdmin, useMe } from "@/api/me";
import { useNames } from "@/api/members";
import { useProjects } from "@/api/projects";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { formatAgo } from "@/i18n/format";
import { asText, COLOURS, useRuleActions, type KeptRule } from "@/pages/permissions/queries";
import { texts } from "@/pages/permissions/texts";

export function RuleTable({ rules }: { rules: KeptRule[] }) {
  const t = useTexts(texts);
  const me = useMe();
  const name = useNames();
  const projects = useProjects();
  const { remove } = useRuleActions();
  const place = (id: string | null) =>
    id ? (projects.data?.find((each) => each.project_id === id)?.name ?? id) : t("own_work");
  // A restricting rule is removed by its author or an admin.
  const mayRemove = (rule: KeptRule) =>
    isAdmin(me) || (me.role === "member" && (rule.action === "allow" || rule.created_by === me.user_id));
  return (
    <>
      {remove.error && <ErrorNotice error={remove.error} />}
      <Table<KeptRule>
        rowKey="rule_id"
        size="middle"
        dataSource={rules}
        pagination={rules.length > 50 ? { pageSize: 50 } : false}
        scroll={{ x: "max-content" }}
        columns={[
          {
            title: t("action"),
            render: (_, { action }) => <Tag color={COLOURS[action]}>{t(action)}</Tag>,
          },
          { title: t("tool"), render: (_, { tool }) => <code>{tool}</code> },
          {
            title: t("resource"),
            render: (_, { resource }) => (
              <code style={{ display: "inline-block", maxWidth: 360, overflowWrap: "anywhere" }}>
                {resource}
              </code>
            ),
          },
          { title: t("where"), render: (_, { project_id }) => place(project_id) },
          {
            title: t("by"),
            render: (_, rule) =>
              `${name(rule.created_by)}, ${t(rule.session_id ? "in_session" : "by_hand")}`,
          },
          { title: t("when"), render: (_, { created_at }) => formatAgo(created_at) },
          {
            title: <span className="visually-hidden">{t("remove")}</span>,
            render: (_, rule) =>
              mayRemove(rule) && (
                <Popconfirm
                  title={t("remove_ask", { rule: asText(rule) })}
                  okText={t("remove")}
                  onConfirm={() => remove.mutate(rule.rule_id)}
                >
                  <Button size="small" danger aria-label={t("remove_of", { rule: asText(rule) })}>
                    {t("remove")}
                  </Button>
                </Popconfirm>
              ),
          },
        ]}
      />
    </>
  );
}
