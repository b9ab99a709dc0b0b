/** Runs a workflow with what differs this time; the run is a chat like any other, which asks before it acts. */
import { PlayCircleOutlined } from "@ant-design/icons";
import { Button, Form, Input, InputNumber, Typography } from "antd";
import { useNavigate } from "react-router";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { texts } from "@/pages/learned/patterns/texts";
import { useWorkflowActions, type Given, type Workflow, type WorkflowInput } from "@/pages/learned/patterns/workflow/queries";

export function RunForm({ patternId, workflow }: { patternId: string; workflow: Workflow }) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const { run } = useWorkflowActions(patternId);
  return (
    <section aria-label={t("run_title")} style={{ maxWidth: 620 }}>
      <Typography.Title level={3} style={{ fontSize: 16, marginTop: 0 }}>
        {t("run_title")}
      </Typography.Title>
      <Typography.Paragraph type="secondary">{t("run_hint")}</Typography.Paragraph>
      <Form<Given>
        layout="vertical"
        // The names are those of a file that anybody may have written.
        name="workflow"
        requiredMark={false}
        onFinish={(given) => run.mutate(given, { onSuccess: ({ session_id }) => void navigate(`/chat/${session_id}`) })}
      >
        {workflow.inputs.map((input) => (
          <Form.Item key={input.name} name={input.name} label={input.name} rules={[{ required: true, message: t("required") }]}>
            <InputField input={input} />
          </Form.Item>
        ))}
        {run.error && <ErrorNotice error={run.error} />}
        <Button type="primary" htmlType="submit" icon={<PlayCircleOutlined />} loading={run.isPending}>
          {t("run_it")}
        </Button>
      </Form>
    </section>
  );
}

/** antd gives the field its id and value. */
function InputField({ input, ...field }: { input: WorkflowInput }) {
  const t = useTexts(texts);
  const placeholder = input.example ? t("example", { text: input.example }) : undefined;
  if (input.type === "text") {
    const given = { ...field, placeholder, autoComplete: "off" };
    return input.is_private ? <Input.Password {...given} /> : <Input {...given} />;
  }
  return (
    // As text: a number of the browser has 15 digits, and an id may have more.
    <InputNumber<string> {...field} stringMode placeholder={placeholder} style={{ width: "100%" }} {...(input.type === "integer" ? { precision: 0 } : {})} />
  );
}
