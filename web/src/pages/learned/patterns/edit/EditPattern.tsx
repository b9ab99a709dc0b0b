/** Changes a pattern. Who was faster is not overwritten unseen: their text stands beside one's own. */
import { Alert, App, Button, Flex, Typography } from "antd";
import type { PatternDetail } from "@/api/learned/patterns";
import { useUnsaved } from "@/app/state/unsaved";
import { UnsavedNote } from "@/components/forms/UnsavedNote";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { conflicts, updateOf, valueOf, withField, type Draft, type PatternValue } from "@/pages/learned/patterns/edit/fields";
import { PatternFields } from "@/pages/learned/patterns/edit/PatternFields";
import { newerPattern, usePatternActions } from "@/pages/learned/patterns/queries";
import { texts } from "@/pages/learned/patterns/texts";

export function EditPattern({ pattern }: { pattern: PatternDetail }) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const { value: draft, isKept, change } = useUnsaved<Draft>(`patterns/${pattern.id}`);
  const { change: save } = usePatternActions();
  const stored = valueOf(pattern);
  const contested = conflicts(draft, stored);
  const isNewer = draft !== null && pattern.version > draft.version;
  const put = <K extends keyof PatternValue>(field: K, value: PatternValue[K]) =>
    change((now) => withField(now, pattern, field, value));
  const send = () =>
    draft &&
    save
      .mutateAsync({ id: pattern.id, body: updateOf(draft, pattern.version) })
      .then(() => {
        // What was typed meanwhile is not saved.
        change((now) => (now === draft ? null : now));
        void message.success(t("saved_it"));
      })
      .catch(() => undefined);
  const theirs = (field: keyof PatternValue) =>
    contested.includes(field) && (
      <Alert
        type="warning"
        title={t("theirs", { text: textOf(stored, field) || t("nothing") })}
        action={
          <Button size="small" onClick={() => put(field, stored[field])}>
            {t("take_theirs")}
          </Button>
        }
      />
    );
  return (
    <Flex vertical gap={12}>
      <Typography.Text type="secondary">{t("edit_hint")}</Typography.Text>
      {isNewer && (
        <Alert type="warning" showIcon role="alert" title={t(contested.length > 0 ? "conflict" : "newer", { version: pattern.version })} />
      )}
      <PatternFields value={{ ...stored, ...draft?.changes }} change={put} note={theirs} />
      {save.error && !newerPattern(save.error) && <ErrorNotice error={save.error} />}
      <Flex gap={8} align="start" wrap>
        <Button type="primary" disabled={draft === null} loading={save.isPending} onClick={() => void send()}>
          {isNewer ? t("save_over", { version: pattern.version }) : t("save")}
        </Button>
        {draft && <UnsavedNote isKept={isKept} isStale={false} discard={() => change(null)} />}
      </Flex>
    </Flex>
  );
}

const textOf = (value: PatternValue, field: keyof PatternValue): string =>
  field === "steps" ? value.steps.map((step, at) => `${at + 1}. ${step.description || step.tools.join(", ")}`).join(" ") : value[field];
