/** SKILL.md as text: numbered lines, those with a problem marked, and the problems beside it. */
import { CheckCircleOutlined } from "@ant-design/icons";
import { Typography } from "antd";
import { useRef } from "react";
import type { SkillProblem } from "@/api/skills";
import { NumberedText } from "@/components/code/NumberedText";
import { useSettled } from "@/components/forms/useSettled";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";
import { offsetOf } from "@/pages/skills/edit/offset";
import { useValidation } from "@/pages/skills/queries";
import { texts } from "@/pages/skills/texts";
import "@/pages/skills/edit/editor.css";

interface Props {
  value: string;
  change: (value: string) => void;
}

export function SkillText({ value, change }: Props) {
  const t = useTexts(texts);
  const said = useDataText();
  const area = useRef<HTMLTextAreaElement>(null);
  const checked = useValidation(useSettled(value, 400));
  const problems = inOrder(checked.data?.problems ?? []);
  // Of two on one line the error is marked.
  const marks = new Map(problems.toReversed().map((each) => [each.line, levelOf(each)]));
  const show = (problem: SkillProblem) => {
    const at = offsetOf(value, problem.line ?? 1, problem.column ?? 1);
    area.current?.focus();
    area.current?.setSelectionRange(at, at);
  };
  return (
    <NumberedText label={t("text")} value={value} change={change} marks={marks} area={area} beside={t("problems")}>
      {checked.error && <ErrorNotice error={checked.error} />}
      {checked.data && problems.length === 0 && (
        <Typography.Text type="success">
          <CheckCircleOutlined aria-hidden /> {t("no_problems")}
        </Typography.Text>
      )}
      <ul className="skill-problems">
        {problems.map((problem, at) => (
          <li key={at} className={levelOf(problem)}>
            <button type="button" onClick={() => show(problem)}>
              <strong>
                {t(levelOf(problem))}
                {problem.line !== null && ` ${t("at", { place: placeText(problem) })}`}
              </strong>{" "}
              {said(problem.message)}
            </button>
          </li>
        ))}
      </ul>
    </NumberedText>
  );
}

const levelOf = ({ is_warning }: SkillProblem) => (is_warning ? "warning" : "error");

/** What keeps the skill from being used first, each kind from the top of the file down. */
const inOrder = (problems: readonly SkillProblem[]): SkillProblem[] =>
  problems.toSorted((a, b) => Number(a.is_warning) - Number(b.is_warning) || (a.line ?? 0) - (b.line ?? 0));

const placeText = ({ line, column }: SkillProblem): string => (column === null ? String(line) : `${line}:${column}`);
