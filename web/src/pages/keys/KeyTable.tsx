import { Button, Popconfirm, Table, Tag } from "antd";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { formatAgo, formatTime } from "@/i18n/format";
import { useWords } from "@/i18n/words.texts";
import { stateOf, useKeyActions, type ApiKey } from "@/pages/keys/queries";
import { texts } from "@/pages/keys/texts";

const COLOURS = { active: "green", revoked: "default", expired: "orange" } as const;

export function KeyTable({ keys }: { keys: ApiKey[] }) {
  const t = useTexts(texts);
  const word = useWords();
  const { revoke } = useKeyActions();
  return (
    <>
      {revoke.error && <ErrorNotice error={revoke.error} />}
      <Table<ApiKey>
        rowKey="key_id"
        dataSource={keys}
        pagination={false}
        scroll={{ x: "max-content" }}
        columns={[
          { title: t("name"), dataIndex: "name" },
          { title: t("prefix"), render: (_, key) => <code>{key.prefix}…</code> },
          {
            title: t("scopes"),
            render: (_, key) => key.scopes?.map((scope) => word("scope", scope)).join(", ") ?? t("everything"),
          },
          {
            title: t("last_used"),
            render: (_, key) => (key.last_used_at ? formatAgo(key.last_used_at) : t("never_used")),
          },
          {
            title: t("expires"),
            render: (_, key) => (key.expires_at ? formatTime(key.expires_at) : t("never")),
          },
          {
            title: t("state"),
            render: (_, key) => <Tag color={COLOURS[stateOf(key)]}>{t(stateOf(key))}</Tag>,
          },
          {
            title: <span className="visually-hidden">{t("revoke")}</span>,
            render: (_, key) =>
              stateOf(key) === "active" && (
                <Popconfirm
                  title={t("revoke_ask", { name: key.name })}
                  okText={t("revoke")}
                  okButtonProps={{ danger: true }}
                  onConfirm={() => revoke.mutate(key.key_id)}
                >
                  <Button size="small" danger aria-label={t("revoke_name", { name: key.name })}>
                    {t("revoke")}
                  </Button>
                </Popconfirm>
              ),
          },
        ]}
      />
    </>
  );
}
