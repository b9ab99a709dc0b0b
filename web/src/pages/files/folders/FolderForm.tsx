import { App, Form, Input, Modal } from "antd";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { encodePath, joined } from "@/pages/files/naming";
import { useFileActions, type Workspace } from "@/pages/files/queries";
import { texts } from "@/pages/files/texts";

interface Props {
  workspace: Workspace;
  folder: string;
  close: () => void;
}

export function FolderForm({ workspace, folder, close }: Props) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const { makeFolder } = useFileActions(workspace.workspace_id);
  const [form] = Form.useForm<{ name: string }>();
  return (
    <Modal
      open
      title={t("new_folder")}
      okText={t("save")}
      cancelText={t("cancel")}
      confirmLoading={makeFolder.isPending}
      onCancel={close}
      onOk={() => form.submit()}
    >
      <Form
        form={form}
        layout="vertical"
        onFinish={({ name }) =>
          makeFolder.mutate(encodePath(joined(folder, name.trim())), {
            onSuccess: () => (void message.success(t("folder_made")), close()),
          })
        }
      >
        <Form.Item
          name="name"
          label={t("name")}
          extra={t("upload_to", { folder })}
          rules={[{ required: true, pattern: /^(?!\s*\.{1,2}\s*$)[^/]+$/, message: t("bad_name") }]}
        >
          <Input autoFocus />
        </Form.Item>
        {makeFolder.error && <ErrorNotice error={makeFolder.error} />}
      </Form>
    </Modal>
  );
}
