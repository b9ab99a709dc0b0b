/** Puts a skill of the tenant in the place of a built-in one: one that is there, or a copy to change. */
import { Form, Select } from "antd";
import { useNavigate } from "react-router";
import type { SkillInfo } from "@/api/skills";
import { FormDialog } from "@/components/forms/FormDialog";
import { useTexts } from "@/i18n";
import { useSkillActions } from "@/pages/skills/queries";
import { texts } from "@/pages/skills/texts";

interface Props {
  skill: SkillInfo;
  all: readonly SkillInfo[];
  close: () => void;
}

const COPY = "";

export function OverrideDialog({ skill, all, close }: Props) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const { override } = useSkillActions();
  const own = all.filter((each) => each.scope === "tenant");
  const isTaken = own.some((each) => each.name === skill.name);
  const first = own.find((each) => each.name === skill.name) ?? own[0];
  const choices = [
    ...(isTaken ? [] : [{ value: COPY, label: t("override_copy") }]),
    ...own.map((each) => ({ value: each.id, label: each.name })),
  ];
  return (
    <FormDialog<{ by: string }>
      title={t("override_title", { name: skill.name })}
      okText={t("override")}
      initialValues={{ by: isTaken ? (first?.id ?? COPY) : COPY }}
      submit={async ({ by }) => {
        const id = await override.mutateAsync({ skill, by: by || null });
        if (!by) void navigate(`/skills/${encodeURIComponent(id)}?tab=text`);
      }}
      close={close}
    >
      <Form.Item name="by" label={t("override_by")} extra={t("override_hint")}>
        <Select options={choices} />
      </Form.Item>
    </FormDialog>
  );
}
