import { Form, Input, Modal } from "antd";
import type { Schemas } from "@/api/client";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useRename } from "@/pages/chat/sessions/actions";
import { sessionTexts } from "@/pages/chat/sessions/texts";
import { useTexts } from "@/i18n";

interface Props {
  session: Schemas["SessionInfo"];
  onClose: () => void;
}

export function RenameDialog({ session, onClose }: Props) {
  const t = useTexts(sessionTexts);
  const [form] = Form.useForm<{ title: string }>();
  const rename = useRename(session);
  return (
    <Modal
      open
      title={t("rename_title")}
      okText={t("save")}
      cancelText={t("cancel")}
      confirmLoading={rename.isPending}
      onOk={() => form.submit()}
      onCancel={onClose}
      destroyOnHidden
    >
      <Form
        form={form}
        name="session"
        layout="vertical"
        initialValues={{ title: session.title ?? "" }}
        onFinish={({ title }) => rename.mutate(title.trim(), { onSuccess: onClose })}
      >
        <Form.Item
          name="title"
          label={t("title")}
          rules={[{ required: true, whitespace: true, max: 200 }]}
        >
          <Input autoFocus />
        </Form.Item>
        {rename.error && <ErrorNotice error={rename.error} />}
      </Form>
    </Modal>
  );
}
