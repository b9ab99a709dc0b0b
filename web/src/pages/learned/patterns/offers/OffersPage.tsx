/** Patterns that other tenants offer to ours, and ours to them; both have to agree. */
import { Button, Flex, Tabs, Tag, Typography } from "antd";
import { Link, useNavigate, useSearchParams } from "react-router";
import { patternPath } from "@/api/learned/patterns";
import { useThingTitle } from "@/app/navigation/title";
import { EmptyState } from "@/components/states/EmptyState";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Resource } from "@/components/states/Resource";
import { Entries, Entry } from "@/components/tables/Entries";
import { useTexts } from "@/i18n";
import { formatTime } from "@/i18n/format";
import { Flow } from "@/pages/learned/patterns/detail/Flow";
import { useOfferActions, useOffers, type Offer } from "@/pages/learned/patterns/offers/queries";
import { texts } from "@/pages/learned/patterns/texts";

const TABS = ["open", "made"] as const;

export function OffersPage() {
  const t = useTexts(texts);
  const [params, setParams] = useSearchParams();
  useThingTitle(t("offers"));
  return (
    <Flex vertical gap={12}>
      <Link to="/patterns">← {t("all")}</Link>
      <Tabs
        activeKey={params.get("tab") ?? "open"}
        onChange={(tab) => setParams({ tab }, { replace: true })}
        items={TABS.map((key) => ({ key, label: t(`offers_${key}`), children: <Offers made={key === "made"} /> }))}
      />
    </Flex>
  );
}

function Offers({ made }: { made: boolean }) {
  const t = useTexts(texts);
  const offers = useOffers(made);
  return (
    <Resource
      query={offers}
      empty={
        <EmptyState title={t(made ? "offers_made_none" : "offers_open_none")} action={<Link to="/patterns">{t("all")}</Link>}>
          {t(made ? "offers_made_hint" : "offers_open_hint")}
        </EmptyState>
      }
    >
      {(all) => (
        <Entries>
          {all.map((each) => (
            <OfferEntry key={each.id} offer={each} made={made} />
          ))}
        </Entries>
      )}
    </Resource>
  );
}

function OfferEntry({ offer, made }: { offer: Offer; made: boolean }) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const { accept, decline, withdraw } = useOfferActions();
  const { pattern } = offer;
  const error = accept.error ?? decline.error ?? withdraw.error;
  const tenant = made ? offer.to_tenant_id : offer.tenant_id;
  return (
    <Entry
      title={
        <Flex gap={8} wrap align="center" component="span">
          <span style={{ minWidth: 0, overflowWrap: "break-word" }}>{pattern.name}</span>
          {made && <Tag>{t(`offer_${offer.status}`)}</Tag>}
        </Flex>
      }
      line={`${t(made ? "offered_to" : "offered_by", { tenant })} · ${formatTime(offer.created_at)}`}
      actions={
        made ? (
          <Button size="small" loading={withdraw.isPending} onClick={() => withdraw.mutate(offer.id)}>
            {t("withdraw")}
          </Button>
        ) : (
          <>
            <Button
              size="small"
              type="primary"
              loading={accept.isPending}
              onClick={() => accept.mutate(offer.id, { onSuccess: ({ id }) => void navigate(patternPath(id)) })}
            >
              {t("accept")}
            </Button>
            <Button size="small" loading={decline.isPending} onClick={() => decline.mutate(offer.id)}>
              {t("decline")}
            </Button>
          </>
        )
      }
    >
      {error && <ErrorNotice error={error} />}
      {pattern.description && <Typography.Paragraph type="secondary">{pattern.description}</Typography.Paragraph>}
      <Flow steps={pattern.steps} chains={pattern.tool_compositions} />
    </Entry>
  );
}
