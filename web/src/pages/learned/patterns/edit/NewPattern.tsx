/** A pattern written by hand, for admins: a draft until runs have shown that it works. */
import { Button, Flex, Input, Typography } from "antd";
import { useId } from "react";
import { Link, useNavigate } from "react-router";
import { patternPath } from "@/api/learned/patterns";
import { useThingTitle } from "@/app/navigation/title";
import { useUnsaved } from "@/app/state/unsaved";
import { UnsavedNote } from "@/components/forms/UnsavedNote";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { stepBody, type PatternValue } from "@/pages/learned/patterns/edit/fields";
import { PatternFields } from "@/pages/learned/patterns/edit/PatternFields";
import { usePatternActions } from "@/pages/learned/patterns/queries";
import { texts } from "@/pages/learned/patterns/texts";

interface NewValue extends PatternValue {
  goal: string;
}

const EMPTY: NewValue = { name: "", goal: "", description: "", steps: [] };
const GOAL_CHARS_MAX = 2_000;

export function NewPattern() {
  const t = useTexts(texts);
  const id = useId();
  const navigate = useNavigate();
  const { value: draft, isKept, change } = useUnsaved<NewValue>("patterns/new");
  const { create } = usePatternActions();
  useThingTitle(t("new"));
  const value = draft ?? EMPTY;
  const put = (field: keyof NewValue, typed: NewValue[keyof NewValue]) => change((now) => ({ ...EMPTY, ...now, [field]: typed }));
  const isWhole = value.name.trim() !== "" && value.goal.trim() !== "";
  const send = () =>
    create
      .mutateAsync({ ...value, steps: value.steps.map(stepBody) })
      .then((made) => {
        change((now) => (now === draft ? null : now));
        void navigate(patternPath(made.id));
      })
      .catch(() => undefined);
  return (
    <Flex vertical gap={12}>
      <Link to="/patterns">← {t("all")}</Link>
      <Typography.Title level={2} style={{ fontSize: 18, margin: 0 }}>
        {t("new")}
      </Typography.Title>
      <Typography.Text type="secondary">{t("new_hint")}</Typography.Text>
      <PatternFields value={value} change={put}>
        <div>
          <label htmlFor={`${id}goal`}>{t("goal")}</label>
          <Input.TextArea
            id={`${id}goal`}
            aria-describedby={`${id}hint`}
            autoSize={{ minRows: 2, maxRows: 8 }}
            maxLength={GOAL_CHARS_MAX}
            placeholder={t("goal_example")}
            value={value.goal}
            onChange={(event) => put("goal", event.target.value)}
          />
          <Typography.Text type="secondary" id={`${id}hint`}>
            {t("goal_hint")}
          </Typography.Text>
        </div>
      </PatternFields>
      {create.error && <ErrorNotice error={create.error} />}
      <Flex gap={8} align="start" wrap>
        <Button type="primary" disabled={!isWhole} loading={create.isPending} onClick={() => void send()}>
          {t("create")}
        </Button>
        {draft && <UnsavedNote isKept={isKept} isStale={false} discard={() => change(null)} />}
      </Flex>
    </Flex>
  );
}
