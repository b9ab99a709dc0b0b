/** Who may use a workspace, and for what. */
import { DeleteOutlined } from "@ant-design/icons";
import { Button, Flex, Form, Modal, Select, Typography } from "antd";
import { nameOf, useNames } from "@/api/members";
import { usePeople } from "@/api/names";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { useSharing, type Permission, type Workspace } from "@/pages/files/queries";
import { texts } from "@/pages/files/texts";

const PERMISSIONS: Permission[] = ["read", "read_write"];

export function ShareDialog({ workspace, close }: { workspace: Workspace; close: () => void }) {
  const t = useTexts(texts);
  const name = useNames();
  const { members, share, unshare } = useSharing(workspace.workspace_id);
  const people = usePeople(true);
  const [form] = Form.useForm<{ user_id: string; permission: Permission }>();
  const permissions = PERMISSIONS.map((value) => ({ value, label: t(`permission_${value}`) }));
  const failed = share.error ?? unshare.error;
  return (
    <Modal open title={t("members", { name: workspace.name })} footer={null} onCancel={close}>
      <Resource query={members}>
        {(items) => (
          <Flex vertical gap={8} component="ul" style={{ listStyle: "none", padding: 0 }}>
            {items.map(({ user_id, permission }) => (
              <Flex key={user_id} component="li" justify="space-between" align="center" gap={8}>
                <span>{name(user_id)}</span>
                {user_id === workspace.owner_id ? (
                  <Typography.Text type="secondary">{t("owner")}</Typography.Text>
                ) : (
                  <Flex gap={8}>
                    <Select
                      aria-label={`${t("permission")} ${name(user_id)}`}
                      value={permission}
                      options={permissions}
                      style={{ minWidth: 150 }}
                      onChange={(value) => share.mutate({ user_id, permission: value })}
                    />
                    <Button
                      danger
                      icon={<DeleteOutlined />}
                      aria-label={t("unshare", { user: name(user_id) })}
                      onClick={() => unshare.mutate(user_id)}
                    />
                  </Flex>
                )}
              </Flex>
            ))}
          </Flex>
        )}
      </Resource>
      <Form
        form={form}
        layout="vertical"
        initialValues={{ permission: "read" }}
        onFinish={(said) => share.mutate(said, { onSuccess: () => form.resetFields() })}
      >
        <Form.Item
          name="user_id"
          label={t("member")}
          rules={[{ required: true, message: t("required") }]}
        >
          <Select
            showSearch={{ optionFilterProp: "label" }}
            loading={people.isPending}
            options={(people.data ?? [])
              .filter((each) => each.is_active && each.user_id !== workspace.owner_id)
              .map((each) => ({ value: each.user_id, label: nameOf(each) }))}
          />
        </Form.Item>
        <Form.Item name="permission" label={t("permission")}>
          <Select options={permissions} />
        </Form.Item>
        {failed && <ErrorNotice error={failed} />}
        <Button type="primary" htmlType="submit" loading={share.isPending}>
          {t("share_add")}
        </Button>
      </Form>
    </Modal>
  );
}
