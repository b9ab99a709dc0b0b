/** The fields of a memory that a person writes. */
import { Form, Input, Select } from "antd";
import { MEMORY_TYPES, type MemoryType } from "@/api/learned/memories";
import { memoryTexts } from "@/components/memories/texts";
import { useTexts } from "@/i18n";
import { texts } from "@/pages/learned/memory/texts";

export interface MemoryValues {
  content: string;
  type: MemoryType;
  /** Days, as date fields have them. */
  expires: string;
}

const CHARS_MAX = 4_000;

export function MemoryFields() {
  const t = useTexts(texts);
  const m = useTexts(memoryTexts);
  return (
    <>
      <Form.Item name="content" label={t("content")} rules={[{ required: true, whitespace: true, message: t("required") }]}>
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 8 }} maxLength={CHARS_MAX} placeholder={t("content_example")} />
      </Form.Item>
      <Form.Item name="type" label={t("type")}>
        <Select style={{ maxWidth: 260 }} options={MEMORY_TYPES.map((each) => ({ value: each, label: m(`type_${each}`) }))} />
      </Form.Item>
      <Form.Item name="expires" label={t("expires_at")} extra={t("expires_hint")}>
        <Input type="date" style={{ maxWidth: 260 }} />
      </Form.Item>
    </>
  );
}
