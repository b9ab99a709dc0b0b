/** A project takes much with it, so its name is typed before it goes. */
import { Form, Input, Typography } from "antd";
import { usePreferences } from "@/app/state/preferences";
import { FormDialog } from "@/components/forms/FormDialog";
import { useTexts } from "@/i18n";
import { useProjectActions, type Project } from "@/pages/projects/queries";
import { texts } from "@/pages/projects/texts";

export function RemoveProject({ project, close }: { project: Project; close: () => void }) {
  const t = useTexts(texts);
  const [form] = Form.useForm<{ typed: string }>();
  const typed = Form.useWatch("typed", form);
  const { projectId, set } = usePreferences();
  const { remove } = useProjectActions();
  const submit = async () => {
    await remove.mutateAsync(project.project_id);
    if (projectId === project.project_id) set({ projectId: null });
  };
  return (
    <FormDialog<{ typed: string }>
      form={form}
      title={t("remove_of", { name: project.name })}
      okText={t("remove")}
      danger
      ready={typed?.trim() === project.name}
      submit={submit}
      close={close}
    >
      <Typography.Paragraph>{t("remove_hint")}</Typography.Paragraph>
      <Form.Item name="typed" label={t("type_name", { name: project.name })}>
        <Input autoFocus autoComplete="off" spellCheck={false} />
      </Form.Item>
    </FormDialog>
  );
}
