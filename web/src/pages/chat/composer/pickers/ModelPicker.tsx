import { useState } from "react";
import { useNavigate } from "react-router";
import { messageOf } from "@/api/errors";
import { isAdmin, useMe } from "@/api/me";
import { useModelsFor } from "@/api/models";
import { Choices, type Choice } from "@/pages/chat/composer/pickers/Choices";
import { modelChoices, type Why } from "@/pages/chat/composer/pickers/modelChoices";
import { composerTexts } from "@/pages/chat/composer/texts";
import { useTexts } from "@/i18n";

interface Props {
  /** What is chosen; "": the default. */
  value: string;
  /** The model of the last run, which says what the default is before the list is there. */
  last: string | null;
  assistantId: string | null;
  projectId: string | null;
  onChange: (model: string) => void;
}

// No model is called so: a name has a colon.
const SET_UP = "set up";
const SEARCHED_FROM = 8;

/** The agent's model; the list is requested when it is opened. */
export function ModelPicker({ value, last, assistantId, projectId, onChange }: Props) {
  const t = useTexts(composerTexts);
  const me = useMe();
  const navigate = useNavigate();
  const [opened, setOpened] = useState(false);
  const list = useModelsFor(assistantId, projectId, opened);
  const byLast = value === "" ? last : null;
  const known = list.data ? list.data.default : byLast;
  const why = (reason: Why) =>
    reason.kind === "not_offered"
      ? t("model_not_offered")
      : t("model_not_set_up", { provider: reason.provider });
  const choices = list.data ? modelChoices(list.data, value) : [];
  // The default is first already; it is also listed by its name if it was chosen so.
  const others = choices.filter(({ model }) => model !== known || model === value);
  const listed = others.map(
    (each): Choice => ({
      value: each.model,
      label: each.model,
      hint: each.why ? why(each.why) : undefined,
      disabled: each.why !== null,
    }),
  );
  const byDefault: Choice = {
    value: "",
    label: known ? t("model_default_is", { model: known }) : t("model_default"),
    hint: t("model_default_hint"),
  };
  const failed: Choice | null = list.error && {
    value: "failed",
    label: t("models_failed", { reason: messageOf(list.error) }),
    disabled: true,
  };
  const setUp: Choice | null = isAdmin(me) ? { value: SET_UP, label: t("models_set_up") } : null;
  const unlisted: Choice | null = value && !list.data ? { value, label: value } : null;
  return (
    <Choices
      aria-label={t("model")}
      value={value}
      loading={list.isFetching}
      onOpenChange={(open) => {
        if (open) setOpened(true);
        if (open && list.isError) void list.refetch();
      }}
      onChange={(chosen) => (chosen === SET_UP ? void navigate("/models") : onChange(chosen))}
      showSearch={listed.length >= SEARCHED_FROM && { optionFilterProp: "label" }}
      className="chat-model"
      options={[byDefault, unlisted, ...listed, failed, setUp].filter((each) => each !== null)}
    />
  );
}
