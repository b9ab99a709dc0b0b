/** The steps of a composition: a tool each, its arguments, and which tools are tried when it fails. */
import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from "@ant-design/icons";
import { Button, Card, Flex, Form, Input, Select, Switch } from "antd";
import { useTexts } from "@/i18n";
import { EMPTY_STEP, firstArgs, type Kind, type StepValue } from "@/pages/tools/compositions/form/fields";
import { texts } from "@/pages/tools/compositions/texts";
import { useTools } from "@/pages/tools/queries";

const STEPS_MAX = 5;
const CODE = { fontFamily: "var(--da-font-family-code)" };
const NEXT_EXAMPLE = '[{"when": {"value": "{{previous.count}}", "op": "equals", "to": 0}, "step": 3}, {"step": 2}]';

export function StepFields({ kind }: { kind: Kind }) {
  const t = useTexts(texts);
  const form = Form.useFormInstance();
  const tools = useTools();
  const all = tools.data?.tools.filter(({ source }) => source !== "composition") ?? [];
  const options = all.map(({ name }) => ({ value: name, label: name }));
  const choose = (at: number, name: string) => {
    const steps = form.getFieldValue("steps") as StepValue[];
    if (steps[at]?.args.trim() !== "{}") return;
    const schema = all.find((tool) => tool.name === name)?.input_schema;
    form.setFieldValue(["steps", at, "args"], firstArgs(schema, at === 0 || kind === "parallel"));
  };
  return (
    <Form.List name="steps">
      {(fields, { add, remove, move }) => (
        <Flex vertical gap={8}>
          {fields.map(({ key, name }, at) => {
            const number = at + 1;
            return (
              <Card
                key={key}
                size="small"
                title={t("step", { number })}
                extra={
                  <Flex gap={4}>
                    <Button size="small" type="text" icon={<ArrowUpOutlined />} disabled={at === 0} aria-label={t("step_up", { number })} onClick={() => move(at, at - 1)} />
                    <Button size="small" type="text" icon={<ArrowDownOutlined />} disabled={at === fields.length - 1} aria-label={t("step_down", { number })} onClick={() => move(at, at + 1)} />
                    <Button size="small" type="text" danger icon={<DeleteOutlined />} disabled={fields.length === 1} aria-label={t("step_remove", { number })} onClick={() => remove(name)} />
                  </Flex>
                }
              >
                <Flex gap={12} wrap>
                  <Form.Item name={[name, "tool"]} label={t("tool")} style={{ flex: "1 1 220px", marginBottom: 8 }} rules={[{ required: true, message: t("required") }]}>
                    <Select
                      showSearch
                      aria-label={t("step_tool", { number })}
                      loading={tools.isPending}
                      options={options}
                      onChange={(tool: string) => choose(at, tool)}
                    />
                  </Form.Item>
                  <Form.Item name={[name, "fallbacks"]} label={t("fallbacks")} style={{ flex: "1 1 220px", marginBottom: 8 }}>
                    <Select mode="multiple" maxCount={3} aria-label={t("step_fallbacks", { number })} placeholder={t("none")} options={options} />
                  </Form.Item>
                </Flex>
                <Form.Item name={[name, "args"]} label={t("args")} style={{ marginBottom: 8 }}>
                  <Input.TextArea aria-label={t("step_args", { number })} autoSize={{ minRows: 2, maxRows: 16 }} spellCheck={false} style={CODE} />
                </Form.Item>
                {kind === "sequential" && at > 0 && (
                  <Flex gap={8} align="center">
                    <Form.Item name={[name, "beside"]} valuePropName="checked" noStyle>
                      <Switch size="small" aria-label={t("step_beside", { number })} />
                    </Form.Item>
                    {t("beside")}
                  </Flex>
                )}
                {kind === "conditional" && (
                  <Form.Item name={[name, "next"]} label={t("next")} extra={at === 0 && <>{t("next_hint")}<code>{NEXT_EXAMPLE}</code></>} style={{ marginBottom: 0 }}>
                    <Input.TextArea aria-label={t("step_next", { number })} autoSize={{ minRows: 1, maxRows: 12 }} spellCheck={false} style={CODE} />
                  </Form.Item>
                )}
              </Card>
            );
          })}
          <div>
            <Button size="small" icon={<PlusOutlined />} disabled={fields.length >= STEPS_MAX} onClick={() => add(EMPTY_STEP)}>
              {t("step_add")}
            </Button>
          </div>
        </Flex>
      )}
    </Form.List>
  );
}
