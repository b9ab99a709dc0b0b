import { Form, Input, Select, Switch } from "antd";
import { useModelList } from "@/api/models";
import { FormDialog } from "@/components/forms/FormDialog";
import { useAssistantActions, type Assistant } from "@/pages/chat/composer/assistants/queries";
import { assistantTexts } from "@/pages/chat/composer/assistants/texts";
import { modelChoices } from "@/pages/chat/composer/pickers/modelChoices";
import { useTexts } from "@/i18n";

interface Fields {
  name: string;
  description?: string;
  model?: string;
  instructions?: string;
  active?: boolean;
  sandbox?: Sandbox;
}

type Sandbox = NonNullable<Assistant["options"]["sandbox_type"]>;

const SANDBOXES: readonly Sandbox[] = ["local", "modal", "daytona", "runloop"];

interface Props {
  assistant?: Assistant;
  onMade: (assistantId: string) => void;
  close: () => void;
}

export function AssistantForm({ assistant, onMade, close }: Props) {
  const t = useTexts(assistantTexts);
  const models = useModelList();
  const { create, change } = useAssistantActions();
  const choices = models.data ? modelChoices(models.data, assistant?.model ?? "") : [];
  const submit = async ({ name, description = "", model, instructions, active, sandbox }: Fields) => {
    const said = {
      name,
      description,
      model: model ?? null,
      system_prompt: instructions?.trim() ? instructions : null,
      options: { ...assistant?.options, sandbox_type: sandbox ?? null },
    };
    if (assistant) {
      await change.mutateAsync({ id: assistant.agent_id, ...said, is_active: active ?? true });
    } else {
      onMade((await create.mutateAsync(said)).assistant_id);
    }
  };
  return (
    <FormDialog<Fields>
      title={assistant ? t("change_of", { name: assistant.name }) : t("make")}
      okText={t("save")}
      initialValues={{
        name: assistant?.name,
        description: assistant?.description,
        model: assistant?.model ?? undefined,
        instructions: assistant?.system_prompt ?? undefined,
        active: assistant?.is_active,
        sandbox: assistant?.options.sandbox_type ?? undefined,
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
        <Input maxLength={500} />
      </Form.Item>
      <Form.Item name="model" label={t("model")} extra={t("model_hint")}>
        <Select
          allowClear
          showSearch={{ optionFilterProp: "label" }}
          loading={models.isPending}
          placeholder={t("default_model")}
          options={choices.map(({ model }) => ({ value: model, label: model }))}
        />
      </Form.Item>
      <Form.Item name="instructions" label={t("instructions")} extra={t("instructions_hint")}>
        <Input.TextArea autoSize={{ minRows: 4, maxRows: 14 }} maxLength={50_000} />
      </Form.Item>
      <Form.Item name="sandbox" label={t("sandbox")} extra={t("sandbox_hint")}>
        <Select
          allowClear
          placeholder={t("sandbox_own")}
          options={SANDBOXES.map((value) => ({ value, label: t(`sandbox_${value}`) }))}
        />
      </Form.Item>
      {assistant && (
        <Form.Item name="active" label={t("active")} valuePropName="checked">
          <Switch />
        </Form.Item>
      )}
    </FormDialog>
  );
}
