/** The tests a skill brings: how often it is found, what it missed, and which skills it is taken for. */
import { PlayCircleOutlined } from "@ant-design/icons";
import { useMutation } from "@tanstack/react-query";
import { Button, Flex, Statistic, Typography } from "antd";
import { useState } from "react";
import { mayWrite, useMe } from "@/api/me";
import { useMayChange } from "@/api/ownership";
import type { SkillDetail } from "@/api/skills";
import { EmptyState } from "@/components/states/EmptyState";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { formatPercent } from "@/i18n/format";
import { runTest } from "@/pages/skills/queries";
import { figuresOf, type EvalReport } from "@/pages/skills/results/figures";
import { Matrix } from "@/pages/skills/results/Matrix";
import { Misses } from "@/pages/skills/results/Misses";
import { PromptsDialog } from "@/pages/skills/results/PromptsDialog";
import { texts } from "@/pages/skills/texts";

export function SkillTest({ skill }: { skill: SkillDetail }) {
  const t = useTexts(texts);
  const run = useMutation({ mutationFn: () => runTest(skill.id) });
  const [isWriting, setWriting] = useState(false);
  const runs = mayWrite(useMe());
  const writes = useMayChange()(skill.project_id) && !skill.is_system_skill;
  const hasTests = skill.files.some(({ path }) => path.startsWith("evals/"));
  const dialog = isWriting && <PromptsDialog skill={skill} close={() => setWriting(false)} />;
  if (!hasTests) {
    const write = <Button type="primary" onClick={() => setWriting(true)}>{t("test_write")}</Button>;
    return (
      <EmptyState title={t("test_none")} action={<>{writes && write}{dialog}</>}>
        {t("test_none_hint")}
      </EmptyState>
    );
  }
  return (
    <Flex vertical gap={16}>
      {dialog}
      <Typography.Text type="secondary">{t("test_hint")}</Typography.Text>
      <Flex gap={8} wrap>
        {runs && (
          <Button type="primary" icon={<PlayCircleOutlined />} loading={run.isPending} onClick={() => run.mutate()}>
            {t("test_run")}
          </Button>
        )}
        {writes && <Button onClick={() => setWriting(true)}>{t("test_change")}</Button>}
      </Flex>
      <div aria-live="polite">
        {run.error && <ErrorNotice error={run.error} />}
        {run.data && <Report report={run.data} name={skill.name} />}
      </div>
    </Flex>
  );
}

function Report({ report, name }: { report: EvalReport; name: string }) {
  const t = useTexts(texts);
  const { recall, precision, prompts, misses, matrix } = figuresOf(report, name);
  return (
    <Flex vertical gap={20}>
      <Flex gap={40} wrap>
        <Figure title={t("test_recall")} value={shareText(recall)} hint={t("test_recall_hint")} />
        <Figure title={t("test_precision")} value={shareText(precision)} hint={t("test_precision_hint")} />
        <Figure title={t("test_prompts")} value={String(prompts)} hint="" />
      </Flex>
      <Misses misses={misses} />
      <Matrix {...matrix} own={name} />
    </Flex>
  );
}

/** Nothing to count is no share. */
const shareText = (share: number | null): string => (share === null ? "–" : formatPercent(share));

const Figure = ({ title, value, hint }: { title: string; value: string; hint: string }) => (
  <div style={{ maxWidth: 220 }}>
    <Statistic title={title} value={value} />
    <Typography.Text type="secondary">{hint}</Typography.Text>
  </div>
);
