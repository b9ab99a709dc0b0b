/** Which skill would a message load: the candidates, their scores and why. */
import { Button, Card, Flex, Form, Input, Tag, Typography } from "antd";
import { Link } from "react-router";
import { ScoreBars } from "@/components/scores/ScoreBars";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { useMatch } from "@/pages/skills/queries";
import { texts } from "@/pages/skills/texts";

export function MatchBox() {
  const t = useTexts(texts);
  const match = useMatch();
  return (
    <Card>
      <h2 style={{ fontSize: 18, margin: "0 0 4px" }}>{t("match")}</h2>
      <Typography.Paragraph type="secondary">{t("match_hint")}</Typography.Paragraph>
      <Form<{ message: string }> onFinish={({ message }) => match.mutate(message)}>
        <Flex gap={8} wrap>
          <Form.Item
            name="message"
            style={{ flex: "1 1 180px", marginBottom: 0 }}
            rules={[{ required: true, whitespace: true, message: t("required") }]}
          >
            <Input aria-label={t("message")} placeholder={t("match_example")} />
          </Form.Item>
          <Button type="primary" htmlType="submit" loading={match.isPending}>
            {t("match_go")}
          </Button>
        </Flex>
      </Form>
      <div aria-live="polite" style={{ marginTop: 12 }}>
        {match.error && <ErrorNotice error={match.error} />}
        {match.data?.length === 0 && <Typography.Text type="secondary">{t("match_none")}</Typography.Text>}
        {match.data && match.data.length > 0 && (
          <ScoreBars
            label={t("match")}
            scores={match.data.map((each) => ({
              key: each.id,
              name: <Link to={`/skills/${encodeURIComponent(each.id)}`}>{each.name}</Link>,
              note: <Tag>{t(`scope_${each.scope}`)}</Tag>,
              score: each.score,
              keyword: each.keyword_score,
              semantic: each.semantic_score,
              reason: each.reason,
            }))}
          />
        )}
      </div>
    </Card>
  );
}
