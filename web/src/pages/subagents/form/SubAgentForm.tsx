/** Everything a sub-agent is made of; the server's errors are shown, and the input stays. */
import { Button, Flex, Form, Input, Select } from "antd";
import type { ReactNode } from "react";
import { useModelList } from "@/api/models";
import { useToolNames } from "@/api/names";
import { useSkills } from "@/api/skills";
import { AgentName } from "@/components/agents/AgentName";
import { COLOUR_NAMES } from "@/components/agents/colours";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { AllOrSome } from "@/pages/subagents/form/AllOrSome";
import { cleaned, typedOf, type SubAgentBody, type Typed } from "@/pages/subagents/form/fields";
import { LimitFields } from "@/pages/subagents/form/LimitFields";
import { RuleFields } from "@/pages/subagents/form/RuleFields";
import { useServerNames } from "@/pages/subagents/queries";
import { texts } from "@/pages/subagents/texts";

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** As the server has it (`agents/subagents/limits.py`). */
const NAME_CHARS_MAX = 50;
const DISPLAY_NAME_CHARS_MAX = 100;

interface Props {
  initial: SubAgentBody;
  /** What was typed before, in the place of what is in `initial`. */
  draft: Typed | null;
  /** A name that is there is not changed: calls and statistics know it. */
  isNamed: boolean;
  okText: string;
  /** Told all that is typed when a person changes something. */
  typed: (values: Typed) => void;
  /** Beside the button, while something is not saved. */
  note: ReactNode;
  save: (body: SubAgentBody) => void;
  isSaving: boolean;
  error: Error | null;
}

export function SubAgentForm({ initial, draft, isNamed, okText, typed, note, save, isSaving, error }: Props) {
  const t = useTexts(texts);
  const models = useModelList();
  const tools = useToolNames();
  const servers = useServerNames();
  const skills = useSkills();
  const skillNames = [...new Set(skills.data?.map((skill) => skill.name) ?? [])];
  const modelNames = [...new Set(["inherit", ...(models.data?.models.map((each) => each.model) ?? []), ...(initial.model ? [initial.model] : [])])];
  return (
    <Form<SubAgentBody>
      layout="vertical"
      initialValues={{ ...initial, ...draft }}
      onValuesChange={(_, values) => typed(typedOf(values))}
      onFinish={(values) => save(cleaned({ ...initial, ...values }))}
      style={{ maxWidth: 760 }}
    >
      <Flex gap={16} wrap>
        <Form.Item name="name" label={t("name")} extra={t("name_hint")} rules={[{ required: true, pattern: NAME, message: t("name_rule") }]} style={{ flex: "1 1 240px" }}>
          <Input disabled={isNamed} maxLength={NAME_CHARS_MAX} spellCheck={false} />
        </Form.Item>
        <Form.Item name="display_name" label={t("display_name")} style={{ flex: "1 1 240px" }}>
          <Input maxLength={DISPLAY_NAME_CHARS_MAX} />
        </Form.Item>
        <Form.Item name="color" label={t("color")} style={{ flex: "0 1 140px" }}>
          <Select options={COLOUR_NAMES.map((value) => ({ value, label: <AgentName name={t(`color_${value}`)} colour={value} /> }))} />
        </Form.Item>
      </Flex>
      <Form.Item name={["trigger", "description"]} label={t("description")} extra={t("description_hint")} rules={[{ required: true, whitespace: true, message: t("required") }]}>
        <Input.TextArea autoSize={{ minRows: 2, maxRows: 6 }} />
      </Form.Item>
      <Form.Item name={["trigger", "examples"]} label={t("examples")} extra={t("examples_hint")}>
        <Select mode="tags" open={false} suffixIcon={null} />
      </Form.Item>
      <Form.Item name={["trigger", "keywords"]} label={t("keywords")} extra={t("keywords_hint")}>
        <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[","]} />
      </Form.Item>
      <Form.Item name="system_prompt" label={t("system_prompt")} extra={t("system_prompt_hint")} rules={[{ required: true, whitespace: true, message: t("required") }]}>
        <Input.TextArea autoSize={{ minRows: 6, maxRows: 24 }} style={{ fontFamily: "var(--da-font-family-code)" }} />
      </Form.Item>
      <Form.Item name="model" label={t("model")}>
        <Select showSearch allowClear placeholder={t("default")} options={modelNames.map((value) => ({ value, label: value === "inherit" ? t("inherit") : value }))} />
      </Form.Item>
      <Form.Item name="allowed_tools" label={t("tools")}>
        <AllOrSome label={t("tools")} names={tools.data ?? []} loading={tools.isPending} />
      </Form.Item>
      <Form.Item name="allowed_skills" label={t("skills")}>
        <AllOrSome label={t("skills")} names={skillNames} loading={skills.isPending} />
      </Form.Item>
      <Form.Item name="allowed_mcp_servers" label={t("servers")}>
        <AllOrSome label={t("servers")} names={servers.data ?? []} loading={servers.isPending} />
      </Form.Item>
      <Form.Item label={t("rules")} extra={t("rules_hint")}>
        <RuleFields />
      </Form.Item>
      <LimitFields />
      {error && <ErrorNotice error={error} />}
      <Flex gap={8} align="start" wrap>
        <Button type="primary" htmlType="submit" loading={isSaving}>
          {okText}
        </Button>
        {note}
      </Flex>
    </Form>
  );
}
