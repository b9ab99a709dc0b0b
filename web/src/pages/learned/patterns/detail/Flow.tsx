/** A pattern as a flow: its steps in order, each with its tools, what people decided there and what they corrected. */
import { BranchesOutlined, EditOutlined } from "@ant-design/icons";
import { Typography } from "antd";
import type { Schemas } from "@/api/client";
import { useTexts } from "@/i18n";
import { texts } from "@/pages/learned/patterns/texts";
import "@/pages/learned/patterns/detail/flow.css";

type Step = Schemas["PatternStepInfo"];
type Chain = readonly Schemas["PatternCallInfo"][];

export function Flow({ steps, chains }: { steps: readonly Step[]; chains: readonly Chain[] }) {
  const t = useTexts(texts);
  const [best] = chains;
  if (steps.length === 0 && !best) return <Typography.Text type="secondary">{t("no_steps")}</Typography.Text>;
  return (
    <>
      {steps.length > 0 && (
        <ol className="pattern-flow" aria-label={t("steps")}>
          {steps.map((step, at) => (
            <FlowStep key={at} step={step} number={at + 1} />
          ))}
        </ol>
      )}
      {chains.map((chain, at) => (
        <CallChain key={at} chain={chain} label={t(at === 0 ? "chain_best" : "chain_other", { number: at + 1 })} />
      ))}
    </>
  );
}

function FlowStep({ step, number }: { step: Step; number: number }) {
  const t = useTexts(texts);
  const text = step.description || t(step.is_text_left_out ? "step_left_out" : "step_of_tools");
  return (
    <li>
      <div className="pattern-step">
        <strong>
          {number}. {text}
        </strong>
        {step.expected_output && <div>{t("expected", { text: step.expected_output })}</div>}
        {step.tools.length > 0 && (
          <div className="pattern-tools">
            {step.tools.map((tool) => (
              <code key={tool}>{tool}</code>
            ))}
          </div>
        )}
        {step.decision_points.map((each) => (
          <div key={each} className="pattern-decision">
            <BranchesOutlined aria-hidden /> {t("decided", { text: each })}
          </div>
        ))}
        {step.corrections.map((each) => (
          <div key={each} className="pattern-correction">
            <EditOutlined aria-hidden /> {t("corrected", { text: each })}
          </div>
        ))}
      </div>
    </li>
  );
}

function CallChain({ chain, label }: { chain: Chain; label: string }) {
  const t = useTexts(texts);
  return (
    <section className="pattern-chain" aria-label={label}>
      <Typography.Text type="secondary">{label}</Typography.Text>
      <ol>
        {chain.map(({ tool, args, by_subagent }, at) => (
          <li key={at} title={Object.entries(args).map(([name, type]) => `${name}: ${type}`).join(", ")}>
            <code>{tool}</code>
            {by_subagent && <span> {t("by_subagent")}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
