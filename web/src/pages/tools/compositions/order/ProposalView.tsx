/** A better order by what was measured; only a person applies it. */
import { Alert, App, Button, Flex, Typography } from "antd";
import { useMayChange } from "@/api/ownership";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { formatDuration, formatPercent } from "@/i18n/format";
import { StageList } from "@/pages/tools/compositions/order/StageList";
import { useCompositionActions, useProposal, type Composition } from "@/pages/tools/compositions/queries";
import { texts } from "@/pages/tools/compositions/texts";

export function ProposalView({ composition }: { composition: Composition }) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const proposal = useProposal(composition.id);
  const { change } = useCompositionActions();
  const writes = useMayChange()(composition.project_id);
  const found = proposal.data;
  const apply = () => {
    if (!found) return;
    const { tools, execution_template, number } = found;
    // The new order draws this anew, and what a `mutate` of the old one was to do is then left out.
    change
      .mutateAsync({ id: composition.id, body: { tools, execution_template, number } })
      .then(() => void message.success(t("applied")))
      .catch(() => undefined);
  };
  return (
    <section aria-label={t("better")}>
      <Typography.Title level={3} style={{ fontSize: 16 }}>
        {t("better")}
      </Typography.Title>
      <Typography.Paragraph type="secondary" style={{ maxWidth: 720 }}>
        {t("better_hint")}
      </Typography.Paragraph>
      <Button loading={proposal.isPending} onClick={() => proposal.mutate()}>
        {t("propose")}
      </Button>
      <Flex vertical gap={12} aria-live="polite" style={{ marginTop: 12 }}>
        {proposal.error && <ErrorNotice error={proposal.error} />}
        {found && (
          <Alert
            type={found.outcome === "better" ? "success" : "info"}
            showIcon
            title={t(`outcome_${found.outcome}`, {
              now: formatDuration(found.present_ms),
              expected: formatDuration(found.expected_ms),
              share: formatPercent(found.present_ms > 0 ? 1 - found.expected_ms / found.present_ms : 0),
            })}
            description={t(`outcome_${found.outcome}_hint`)}
          />
        )}
        {found?.outcome === "better" && (
          <>
            <StageList label={t("proposed")} composition={composition} stages={found.proposed_stages} />
            {change.error && <ErrorNotice error={change.error} />}
            {writes ? (
              <div>
                <Button type="primary" loading={change.isPending} onClick={apply}>
                  {t("apply")}
                </Button>
              </div>
            ) : (
              <Typography.Text type="secondary">{t("apply_admin")}</Typography.Text>
            )}
          </>
        )}
      </Flex>
    </section>
  );
}
