/** Who else of the tenant may read a session, and answer for its owner. */
import { DeleteOutlined } from "@ant-design/icons";
import { Button, Flex, Form, Modal, Popconfirm, Select, Typography } from "antd";
import type { Schemas } from "@/api/client";
import { nameOf } from "@/api/members";
import { usePeople } from "@/api/names";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Resource } from "@/components/states/Resource";
import { useShare, useShares, type Permission } from "@/pages/chat/share/queries";
import { shareTexts } from "@/pages/chat/share/texts";
import { useTexts } from "@/i18n";

interface Props {
  session: Schemas["SessionInfo"];
  onClose: () => void;
}

interface Fields {
  userId: string;
  permission: Permission;
}

export function ShareDialog({ session, onClose }: Props) {
  const t = useTexts(shareTexts);
  const [form] = Form.useForm<Fields>();
  const shares = useShares(session.session_id);
  const people = usePeople(true);
  const share = useShare(session.session_id);
  const taken = new Set([session.user_id, ...(shares.data ?? []).map((each) => each.user_id)]);
  const others = (people.data ?? []).filter((member) => member.is_active && !taken.has(member.user_id));
  const alone = people.data?.length === 1;
  const chosen = Form.useWatch("userId", form);
  const permissionsOf = (userId: string | undefined) =>
    (["view", "answer"] as const).map((value) => {
      const member = people.data?.find((each) => each.user_id === userId);
      const disabled = value === "answer" && member?.role === "viewer";
      return { value, disabled, label: disabled ? t("answer_viewer") : t(value) };
    });
  return (
    <Modal
      open
      title={t("title", { title: session.title ?? "" })}
      onCancel={onClose}
      footer={null}
      destroyOnHidden
    >
      <Typography.Paragraph type="secondary">{t("hint")}</Typography.Paragraph>
      {alone && <Typography.Paragraph>{t("nobody_else")}</Typography.Paragraph>}
      {people.error && <ErrorNotice error={people.error} retry={() => void people.refetch()} />}
      <Form<Fields>
        form={form}
        name="share"
        layout="vertical"
        initialValues={{ permission: "view" }}
        onFinish={(fields) => share.mutate(fields, { onSuccess: () => form.resetFields() })}
      >
        <Form.Item name="userId" label={t("person")} rules={[{ required: true }]}>
          <Select
            // The permission chosen for another user may be more than this user may have.
            onChange={() => form.setFieldValue("permission", "view")}
            showSearch={{ optionFilterProp: "label" }}
            loading={people.isPending}
            placeholder={t("person_placeholder")}
            options={others.map((member) => ({ value: member.user_id, label: nameOf(member) }))}
          />
        </Form.Item>
        <Form.Item name="permission" label={t("permission")}>
          <Select options={permissionsOf(chosen)} />
        </Form.Item>
        {share.error && <ErrorNotice error={share.error} />}
        <Button type="primary" htmlType="submit" loading={share.isPending} disabled={alone}>
          {t("add")}
        </Button>
      </Form>
      <Typography.Title level={3} style={{ fontSize: 15 }}>
        {t("with")}
      </Typography.Title>
      <Resource
        query={shares}
        empty={<Typography.Text type="secondary">{t("nobody")}</Typography.Text>}
      >
        {(items) =>
          items.map((item) => {
            const user = item.display_name || item.username || item.user_id;
            return (
              <Flex key={item.user_id} gap={8} align="center">
                <span className="chat-one-line">{user}</span>
                <Select
                  aria-label={`${t("permission")}: ${user}`}
                  value={item.permission}
                  disabled={share.isPending}
                  options={permissionsOf(item.user_id)}
                  onChange={(permission) => share.mutate({ userId: item.user_id, permission })}
                />
                <Popconfirm
                  title={t("stop_ask", { user })}
                  okText={t("stop", { user })}
                  cancelText={t("cancel")}
                  onConfirm={() => share.mutate({ userId: item.user_id, permission: null })}
                >
                  <Button
                    type="text"
                    danger
                    icon={<DeleteOutlined />}
                    aria-label={t("stop", { user })}
                  />
                </Popconfirm>
              </Flex>
            );
          })
        }
      </Resource>
    </Modal>
  );
}
