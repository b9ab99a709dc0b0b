import { AutoComplete, Form, Input } from "antd";
import { useModelList } from "@/api/models";
import { FormDialog } from "@/components/forms/FormDialog";
import { useTexts } from "@/i18n";
import { useProjectActions, type Project } from "@/pages/projects/queries";
import { texts } from "@/pages/projects/texts";

interface Fields {
  name: string;
  description?: string;
  default_model?: string;
}

export function ProjectForm({ project, close }: { project?: Project; close: () => void }) {
  const t = useTexts(texts);
  const models = useModelList();
  const { create, change } = useProjectActions();
  const submit = ({ name, description = "", default_model = "" }: Fields) =>
    project
      ? change.mutateAsync({
          id: project.project_id,
          name,
          description,
          default_model,
          version: project.version,
        })
      : create.mutateAsync({ name, description, default_model: default_model || null });
  return (
    <FormDialog<Fields>
      title={project ? t("change_of", { name: project.name }) : t("create")}
      okText={project ? t("save") : t("create")}
      initialValues={{
        name: project?.name,
        description: project?.description,
        default_model: project?.default_model ?? undefined,
      }}
      submit={submit}
      close={close}
    >
      <Form.Item
        name="name"
        label={t("name")}
        rules={[{ required: true, whitespace: true, message: t("required") }]}
      >
        <Input autoFocus maxLength={200} />
      </Form.Item>
      <Form.Item name="description" label={t("description")}>
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 8 }} maxLength={10_000} />
      </Form.Item>
      <Form.Item name="default_model" label={t("model")} extra={t("model_hint")}>
        <AutoComplete
          allowClear
          placeholder="openai:gpt-5.5"
          options={models.data?.models.map((each) => ({ value: each.model }))}
        />
      </Form.Item>
    </FormDialog>
  );
}
