/** When a search is asked of: a slider over the time of the memories, a day, and two moments people mean. */
import { Button, Flex, Input, Slider } from "antd";
import { useEffect, useId, useState } from "react";
import { useTexts } from "@/i18n";
import { formatDay, formatTime } from "@/i18n/format";
import { dayOf, momentOf } from "@/pages/learned/memory/detail/days";
import { momentAt, STEPS, stepOf, type Span } from "@/pages/learned/memory/search/asOf";
import { texts } from "@/pages/learned/memory/texts";

interface Props {
  span: Span;
  /** Null is now. */
  value: number | null;
  choose: (moment: number | null) => void;
}

const DAY_MS = 86_400_000;
const AGO = [
  ["week_ago", 7],
  ["month_ago", 30],
] as const;

export function AsOf({ span, value, choose }: Props) {
  const t = useTexts(texts);
  const id = useId();
  const chosen = stepOf(value, span);
  const [step, setStep] = useState(chosen);
  useEffect(() => setStep(chosen), [chosen]);
  const textOf = (at: number) => {
    const moment = momentAt(at, span);
    return moment === null ? t("now") : formatTime(moment);
  };
  const shown = step === chosen && value !== null ? formatTime(value) : textOf(step);
  return (
    <section className="as-of" aria-labelledby={id}>
      <span id={id}>
        {t("as_of")} <strong>{shown}</strong>
      </span>
      <Slider
        min={0}
        max={STEPS}
        value={step}
        onChange={setStep}
        onChangeComplete={(at) => choose(momentAt(at, span))}
        tooltip={{ formatter: (at) => textOf(at ?? STEPS) }}
        ariaLabelForHandle={t("as_of")}
        ariaValueTextFormatterForHandle={textOf}
      />
      <Flex justify="space-between" aria-hidden className="as-of-ends">
        <span>{formatDay(span.from)}</span>
        <span>{t("now")}</span>
      </Flex>
      <Flex gap={8} wrap align="center">
        <Button size="small" disabled={value === null} onClick={() => choose(null)}>
          {t("now")}
        </Button>
        {AGO.map(([name, days]) => (
          <Button key={name} size="small" onClick={() => choose(span.to - days * DAY_MS)}>
            {t(name)}
          </Button>
        ))}
        <Input
          type="date"
          size="small"
          aria-label={t("as_of_day")}
          style={{ width: 150 }}
          max={dayOf(span.to)}
          value={value === null ? "" : dayOf(value)}
          onChange={({ target }) => {
            const moment = momentOf(target.value);
            choose(moment === null ? null : Date.parse(moment));
          }}
        />
      </Flex>
    </section>
  );
}
