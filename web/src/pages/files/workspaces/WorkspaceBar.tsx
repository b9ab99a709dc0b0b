/** Chooses a workspace, and what can be done with the chosen one. */
import { MoreOutlined, PlusOutlined, ShareAltOutlined } from "@ant-design/icons";
import { App, Button, Dropdown, Flex, Select, Tag } from "antd";
import { useState } from "react";
import { messageOf } from "@/api/errors";
import { isAdmin, mayWrite, useMe } from "@/api/me";
import { useNames } from "@/api/members";
import { ForMembers } from "@/components/page/ForMembers";
import { useTexts } from "@/i18n";
import { useWorkspaceActions, type Workspace } from "@/pages/files/queries";
import { ShareDialog } from "@/pages/files/workspaces/ShareDialog";
import { texts } from "@/pages/files/texts";
import { WorkspaceForm } from "@/pages/files/workspaces/WorkspaceForm";

interface Props {
  workspaces: Workspace[];
  chosen: Workspace;
  choose: (workspaceId: string) => void;
}

export function WorkspaceBar({ workspaces, chosen, choose }: Props) {
  const t = useTexts(texts);
  const me = useMe();
  const { message, modal } = App.useApp();
  const { makeDefault, remove } = useWorkspaceActions();
  const [form, setForm] = useState<"new" | "rename" | "share" | null>(null);
  const { workspace_id: id, name } = chosen;
  const nameOf = useNames();
  const writes = mayWrite(me);
  const mine = writes && (chosen.owner_id === me.user_id || isAdmin(me));
  const failed = (error: unknown) => void message.error(messageOf(error));
  const askRemove = () =>
    modal.confirm({
      title: t("remove_workspace_ask", { name }),
      content: t("remove_hint"),
      okText: t("remove"),
      okButtonProps: { danger: true },
      cancelText: t("cancel"),
      onOk: () => remove.mutateAsync(id).then(() => choose(""), failed),
    });
  return (
    <Flex gap={8} wrap align="center">
      <Select
        aria-label={t("workspace")}
        value={id}
        onChange={choose}
        style={{ minWidth: 200 }}
        options={workspaces.map((each) => ({
          value: each.workspace_id,
          label:
            each.owner_id === me.user_id
              ? each.name
              : `${each.name} (${t("shared_by", { owner: nameOf(each.owner_id) })})`,
        }))}
      />
      {chosen.is_default && <Tag color="blue">{t("is_default")}</Tag>}
      {chosen.permission === "read" && <Tag>{t("read_only")}</Tag>}
      <span style={{ flex: 1 }} />
      {mine && (
        <Button icon={<ShareAltOutlined />} onClick={() => setForm("share")}>
          {t("share")}
        </Button>
      )}
      <ForMembers>
        <Button icon={<PlusOutlined />} onClick={() => setForm("new")}>
          {t("new_workspace")}
        </Button>
        <Dropdown
          trigger={["click"]}
          menu={{
            items: [
              {
                key: "default",
                label: t("make_default"),
                disabled: chosen.is_default,
                onClick: () =>
                  makeDefault.mutate(id, {
                    onSuccess: () => void message.success(t("made_default", { name })),
                    onError: failed,
                  }),
              },
              ...(mine
                ? [
                    { key: "rename", label: t("rename"), onClick: () => setForm("rename") },
                    { key: "remove", danger: true, label: t("remove_workspace"), onClick: askRemove },
                  ]
                : []),
            ],
          }}
        >
          <Button icon={<MoreOutlined />} aria-label={t("more")} />
        </Dropdown>
      </ForMembers>
      {(form === "new" || form === "rename") && (
        <WorkspaceForm
          workspace={form === "rename" ? chosen : null}
          close={() => setForm(null)}
          made={choose}
        />
      )}
      {form === "share" && <ShareDialog workspace={chosen} close={() => setForm(null)} />}
    </Flex>
  );
}
