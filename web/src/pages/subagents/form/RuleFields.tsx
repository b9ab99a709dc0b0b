/** The permission rules of a sub-agent itself: they may only tighten. */
import { DeleteOutlined, PlusOutlined } from "@ant-design/icons";
import { Button, Flex, Form, Input, Select } from "antd";
import { useTexts } from "@/i18n";
import { texts } from "@/pages/subagents/texts";

const NEW_RULE = { action: "ask", tool: "", resource: "**" };

export function RuleFields() {
  const t = useTexts(texts);
  return (
    <Form.List name="rules">
      {(fields, { add, remove }) => (
        <Flex vertical gap={8}>
          {fields.map(({ key, name }, at) => (
            <Flex key={key} gap={8} wrap>
              <Form.Item name={[name, "action"]} style={{ margin: 0, flex: "0 1 110px" }}>
                <Select
                  aria-label={t("rule_action", { number: at + 1 })}
                  options={(["ask", "deny"] as const).map((value) => ({ value, label: t(`action_${value}`) }))}
                />
              </Form.Item>
              <Form.Item name={[name, "tool"]} style={{ margin: 0, flex: "1 1 140px" }}>
                <Input aria-label={t("rule_tool", { number: at + 1 })} placeholder="shell" spellCheck={false} />
              </Form.Item>
              <Form.Item name={[name, "resource"]} style={{ margin: 0, flex: "1 1 140px" }}>
                <Input aria-label={t("rule_resource", { number: at + 1 })} placeholder="git push *" spellCheck={false} />
              </Form.Item>
              <Button icon={<DeleteOutlined />} aria-label={t("rule_remove", { number: at + 1 })} onClick={() => remove(name)} />
            </Flex>
          ))}
          <div>
            <Button size="small" icon={<PlusOutlined />} onClick={() => add(NEW_RULE)}>
              {t("rule_add")}
            </Button>
          </div>
        </Flex>
      )}
    </Form.List>
  );
}
