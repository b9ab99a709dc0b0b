/** SKILL.md as text: numbered lines, those with a problem marked, and the problems beside it. */
import { CheckCircleOutlined } from "@ant-design/icons";
import { Typography } from "antd";
import { useRef } from "react";
import type { SkillProblem } from "@/api/skills";
import { useSettled } from "@/components/forms/useSettled";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { offsetOf } from "@/pages/skills/edit/offset";
import { useValidation } from "@/pages/skills/queries";
import { texts } from "@/pages/skills/texts";
import "@/pages/skills/edit/editor.css";

const LINES_MIN = 18;

interface Props {
  value: string;
  change: (value: string) => void;
}

export function SkillText({ value, change }: Props) {
  const t = useTexts(texts);
  const area = useRef<HTMLTextAreaElement>(null);
  const checked = useValidation(useSettled(value, 400));
  const problems = checked.data?.problems ?? [];
  const lines = value.split("\n").length;
  const marks = new Map(problems.map((each) => [each.line, each.is_warning ? "warning" : "error"]));
  const show = (problem: SkillProblem) => {
    const at = offsetOf(value, problem.line ?? 1, problem.column ?? 1);
    area.current?.focus();
    area.current?.setSelectionRange(at, at);
  };
  return (
    <div className="skill-editor">
      <div className="skill-text">
        <pre aria-hidden>
          {Array.from({ length: Math.max(lines, LINES_MIN) }, (_, at) => (
            <span key={at} className={marks.get(at + 1)}>
              {at < lines ? at + 1 : ""}
              {"\n"}
            </span>
          ))}
        </pre>
        <textarea
          ref={area}
          aria-label={t("text")}
          aria-describedby="skill-problems"
          value={value}
          rows={Math.max(lines, LINES_MIN)}
          wrap="off"
          spellCheck={false}
          onChange={(event) => change(event.target.value)}
        />
      </div>
      <section id="skill-problems" aria-label={t("problems")} aria-live="polite" className="skill-problems">
        <h3>{t("problems")}</h3>
        {checked.error && <ErrorNotice error={checked.error} />}
        {checked.data && problems.length === 0 && (
          <Typography.Text type="success">
            <CheckCircleOutlined aria-hidden /> {t("no_problems")}
          </Typography.Text>
        )}
        <ul>
          {problems.map((problem, at) => (
            <li key={at} className={problem.is_warning ? "warning" : "error"}>
              <button type="button" onClick={() => show(problem)}>
                <strong>
                  {t(problem.is_warning ? "warning" : "error")}
                  {problem.line !== null && ` ${t("at", { place: placeText(problem) })}`}
                </strong>{" "}
                {problem.message}
              </button>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

const placeText = ({ line, column }: SkillProblem): string => (column === null ? String(line) : `${line}:${column}`);
