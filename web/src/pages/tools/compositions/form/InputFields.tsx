/** The inputs of a composition: what its caller gives, and steps use as {{input.NAME}}. */
import { DeleteOutlined, PlusOutlined } from "@ant-design/icons";
import { Button, Flex, Form, Input, Select } from "antd";
import { useTexts } from "@/i18n";
import { EMPTY_INPUT, INPUT_TYPES } from "@/pages/tools/compositions/form/fields";
import { texts } from "@/pages/tools/compositions/texts";

export function InputFields() {
  const t = useTexts(texts);
  return (
    <Form.List name="inputs">
      {(fields, { add, remove }) => (
        <Flex vertical gap={8}>
          {fields.map(({ key, name }, at) => (
            <Flex key={key} gap={8} wrap>
              <Form.Item name={[name, "name"]} style={{ margin: 0, flex: "1 1 120px" }} rules={[{ required: true, message: t("required") }]}>
                <Input aria-label={t("input_name", { number: at + 1 })} placeholder={t("name")} spellCheck={false} />
              </Form.Item>
              <Form.Item name={[name, "type"]} style={{ margin: 0, flex: "0 1 110px" }}>
                <Select
                  aria-label={t("input_type", { number: at + 1 })}
                  options={INPUT_TYPES.map((value) => ({ value, label: t(`type_${value}`) }))}
                />
              </Form.Item>
              <Form.Item name={[name, "description"]} style={{ margin: 0, flex: "2 1 180px" }}>
                <Input aria-label={t("input_description", { number: at + 1 })} placeholder={t("description")} />
              </Form.Item>
              <Form.Item name={[name, "fallback"]} style={{ margin: 0, flex: "1 1 110px" }}>
                <Input aria-label={t("input_default", { number: at + 1 })} placeholder={t("default")} spellCheck={false} />
              </Form.Item>
              <Button icon={<DeleteOutlined />} aria-label={t("input_remove", { number: at + 1 })} onClick={() => remove(name)} />
            </Flex>
          ))}
          <div>
            <Button size="small" icon={<PlusOutlined />} onClick={() => add(EMPTY_INPUT)}>
              {t("input_add")}
            </Button>
          </div>
        </Flex>
      )}
    </Form.List>
  );
}
