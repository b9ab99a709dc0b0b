/** The order of a composition: stages from left to right, what runs at the same time in one frame. */
import { useTexts } from "@/i18n";
import { formatDuration, formatNumber, formatPercent } from "@/i18n/format";
import { waysOf } from "@/pages/tools/compositions/order/stages";
import type { Composition, Member } from "@/pages/tools/compositions/queries";
import { texts } from "@/pages/tools/compositions/texts";
import "@/pages/tools/compositions/order/order.css";

interface Props {
  label: string;
  composition: Composition;
  stages: readonly (readonly number[])[];
  members?: readonly Member[];
}

export function StageList({ label, composition, stages, members }: Props) {
  const isByCondition = composition.execution_template.kind === "conditional";
  return (
    <ol className={isByCondition ? "stages by-condition" : "stages"} aria-label={label}>
      {stages.map((stage) => (
        <li key={stage.join()}>
          <ol className={stage.length > 1 ? "together" : undefined}>
            {stage.map((number) => (
              <Step key={number} number={number} composition={composition} members={members} />
            ))}
          </ol>
        </li>
      ))}
    </ol>
  );
}

function Step({ number, composition, members }: Pick<Props, "composition" | "members"> & { number: number }) {
  const t = useTexts(texts);
  const tool = composition.tools[number - 1] ?? "";
  const others = composition.fallback_alternatives[tool] ?? [];
  const measured = members?.find((each) => each.tool === tool);
  return (
    <li>
      {number}. <code>{tool}</code>
      {others.length > 0 && <span className="figures">{t("else_tools", { tools: others.join(", ") })}</span>}
      {measured && (
        <span className="figures">
          {t("member_figures", {
            calls: formatNumber(measured.calls),
            share: formatPercent(measured.failures / measured.calls),
            time: formatDuration(measured.average_ms),
          })}
        </span>
      )}
      {waysOf(composition.execution_template, number).map((way, at) => (
        <span key={at} className="figures">
          {t(way.onFailure ? "way_failed" : way.condition ? "way_if" : "way", {
            step: way.step,
            condition: way.condition,
          })}
        </span>
      ))}
    </li>
  );
}
