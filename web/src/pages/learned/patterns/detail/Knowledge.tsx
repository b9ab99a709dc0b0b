/** What a pattern holds: its flow, what people choose when asked, and what they have corrected. */
import { Flex, Typography } from "antd";
import type { ReactNode } from "react";
import type { PatternDetail } from "@/api/learned/patterns";
import { useTexts } from "@/i18n";
import { formatNumber } from "@/i18n/format";
import { Flow } from "@/pages/learned/patterns/detail/Flow";
import { texts } from "@/pages/learned/patterns/texts";

export function Knowledge({ pattern }: { pattern: PatternDetail }) {
  const t = useTexts(texts);
  const { decision_preferences, corrections, success_factors } = pattern;
  return (
    <Flex vertical gap={20}>
      <Flow steps={pattern.steps} chains={pattern.tool_compositions} />
      {decision_preferences.length > 0 && (
        <Part title={t("preferences")}>
          {decision_preferences.map(({ question, preferred, choices }) => (
            <li key={question}>
              {question} <strong>{preferred}</strong>{" "}
              <Typography.Text type="secondary">
                {Object.entries(choices)
                  .map(([choice, count]) => t("chosen", { choice, count: formatNumber(count) }))
                  .join(", ")}
              </Typography.Text>
            </li>
          ))}
        </Part>
      )}
      {corrections.length > 0 && (
        <Part title={t("corrections")}>
          {corrections.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </Part>
      )}
      {success_factors.clarifications_needed > 0 && (
        <Typography.Text type="secondary">
          {t("clarifications", { count: formatNumber(success_factors.clarifications_needed) })}
        </Typography.Text>
      )}
    </Flex>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Typography.Title level={3} style={{ fontSize: 16 }}>
        {title}
      </Typography.Title>
      <ul style={{ margin: 0, paddingInlineStart: 20 }}>{children}</ul>
    </section>
  );
}
