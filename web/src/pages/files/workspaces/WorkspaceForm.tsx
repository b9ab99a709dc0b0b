import { Form, Input, Modal } from "antd";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { useWorkspaceActions, type Workspace } from "@/pages/files/queries";
import { texts } from "@/pages/files/texts";

interface Props {
  workspace: Workspace | null;
  close: () => void;
  made: (workspaceId: string) => void;
}

interface Fields {
  name: string;
  description: string | null;
}

export function WorkspaceForm({ workspace, close, made }: Props) {
  const t = useTexts(texts);
  const { create, change } = useWorkspaceActions();
  const [form] = Form.useForm<Fields>();
  const saving = workspace ? change : create;
  const save = (body: Fields) => {
    const onSuccess = ({ workspace_id }: Workspace) => (made(workspace_id), close());
    if (workspace) change.mutate({ id: workspace.workspace_id, body }, { onSuccess });
    else create.mutate(body, { onSuccess });
  };
  return (
    <Modal
      open
      title={workspace ? t("rename") : t("new_workspace")}
      okText={t("save")}
      cancelText={t("cancel")}
      confirmLoading={saving.isPending}
      onCancel={close}
      onOk={() => form.submit()}
    >
      <Form<Fields> form={form} layout="vertical" initialValues={workspace ?? {}} onFinish={save}>
        <Form.Item name="name" label={t("name")} rules={[{ required: true, message: t("required") }]}>
          <Input autoFocus />
        </Form.Item>
        <Form.Item name="description" label={t("description")}>
          <Input.TextArea autoSize />
        </Form.Item>
        {saving.error && <ErrorNotice error={saving.error} />}
      </Form>
    </Modal>
  );
}
