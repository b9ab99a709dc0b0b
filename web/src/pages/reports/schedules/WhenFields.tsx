/** How often, as choices; each choice is a cron line, and its words are shown. */
import { Flex, Form, Input, InputNumber, Select, Typography } from "antd";
import { useLanguage, useTexts } from "@/i18n";
import { clock, cronOf, cronWords, KINDS, weekdayName, type Choice } from "@/pages/reports/schedules/cron";
import { texts } from "@/pages/reports/schedules/texts";

interface Props {
  choice: Choice;
  zone: string;
  change: (choice: Choice) => void;
}

const WEEKDAYS = [1, 2, 3, 4, 5, 6, 0];

export function WhenFields({ choice, zone, change }: Props) {
  const t = useTexts(texts);
  const language = useLanguage();
  const put = (part: Partial<Choice>) => change({ ...choice, ...part });
  const words = cronWords(cronOf(choice), t, language);
  const timed = choice.kind !== "own" && choice.kind !== "hour";
  return (
    <>
      <Flex gap="0 12px" wrap>
        <Form.Item label={t("how_often")} style={{ flex: "1 1 160px" }}>
          <Select
            value={choice.kind}
            aria-label={t("how_often")}
            options={KINDS.map((kind) => ({ value: kind, label: t(`kind_${kind}`) }))}
            // A line of one's own begins with what was chosen.
            onChange={(kind) => put({ kind, own: cronOf(choice) })}
          />
        </Form.Item>
        {timed && (
          <Form.Item label={t("time")} style={{ flex: "0 1 130px" }}>
            <Input
              type="time"
              aria-label={t("time")}
              value={clock(choice.hour, choice.minute)}
              onChange={(event) => {
                const [hour, minute] = event.target.value.split(":").map(Number);
                if (hour !== undefined && minute !== undefined) put({ hour, minute });
              }}
            />
          </Form.Item>
        )}
        {choice.kind === "week" && (
          <Form.Item label={t("weekday")} style={{ flex: "1 1 180px" }}>
            <Select
              mode="multiple"
              value={choice.weekdays}
              aria-label={t("weekday")}
              options={WEEKDAYS.map((day) => ({ value: day, label: weekdayName(day, language) }))}
              onChange={(weekdays) => put({ weekdays })}
            />
          </Form.Item>
        )}
        {choice.kind === "month" && (
          <Form.Item label={t("day")} style={{ flex: "0 1 130px" }}>
            <InputNumber
              min={1}
              max={31}
              value={choice.day}
              aria-label={t("day")}
              onChange={(day) => day && put({ day })}
            />
          </Form.Item>
        )}
        {choice.kind === "own" && (
          <Form.Item label={t("cron")} extra={t("cron_hint")} style={{ flex: "1 1 220px" }}>
            <Input
              value={choice.own}
              aria-label={t("cron")}
              style={{ fontFamily: "var(--da-font-family-code)" }}
              onChange={(event) => put({ own: event.target.value })}
            />
          </Form.Item>
        )}
      </Flex>
      {words && <Typography.Paragraph role="status">{t("says", { words, zone })}</Typography.Paragraph>}
    </>
  );
}
