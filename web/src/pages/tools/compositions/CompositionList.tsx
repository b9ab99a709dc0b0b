/** The compositions of the tenant and the project of now, with how often each succeeded. */
import { Flex } from "antd";
import { Link } from "react-router";
import { useMayChange } from "@/api/ownership";
import { usePreferences } from "@/app/state/preferences";
import { useThingTitle } from "@/app/navigation/title";
import { LinkButton } from "@/components/links/LinkButton";
import { EmptyState } from "@/components/states/EmptyState";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { NextStep } from "@/components/states/NextStep";
import { Resource } from "@/components/states/Resource";
import { Entries, Entry } from "@/components/tables/Entries";
import { useTexts } from "@/i18n";
import { formatNumber, formatPercent } from "@/i18n/format";
import { CompositionTags } from "@/pages/tools/compositions/CompositionTags";
import { NEW_COMPOSITION, placeOf, TOOLS } from "@/pages/tools/compositions/places";
import { useCompositions, type Composition } from "@/pages/tools/compositions/queries";
import { texts } from "@/pages/tools/compositions/texts";
import { useCompositionButtons } from "@/pages/tools/compositions/useCompositionButtons";

export function CompositionList() {
  const t = useTexts(texts);
  const compositions = useCompositions();
  const projectId = usePreferences((state) => state.projectId);
  const writes = useMayChange()(projectId);
  useThingTitle(t("title"));
  return (
    <Resource
      query={compositions}
      empty={
        <EmptyState
          title={t("empty")}
          action={
            <NextStep>
              {writes ? (
                <LinkButton to={NEW_COMPOSITION} type="primary">{t("new")}</LinkButton>
              ) : (
                <LinkButton to={TOOLS}>{t("to_tools")}</LinkButton>
              )}
            </NextStep>
          }
        >
          {t(writes ? "empty_hint" : "empty_admin")}
        </EmptyState>
      }
    >
      {(all) => (
        <Entries>
          {all.map((each) => (
            <CompositionEntry key={each.id} composition={each} />
          ))}
        </Entries>
      )}
    </Resource>
  );
}

function CompositionEntry({ composition }: { composition: Composition }) {
  const { buttons, error } = useCompositionButtons(composition);
  return (
    <Entry
      title={
        <Flex gap={8} wrap align="center" component="span">
          <Link to={placeOf(composition.id)}>{composition.name}</Link>
          <CompositionTags composition={composition} />
        </Flex>
      }
      line={
        <>
          {composition.description && <div>{composition.description}</div>}
          <div>
            <code>{composition.tools.join(" · ")}</code>
          </div>
          <Uses composition={composition} />
        </>
      }
      actions={buttons}
    >
      {error !== null && <ErrorNotice error={error} />}
    </Entry>
  );
}

export function Uses({ composition }: { composition: Composition }) {
  const t = useTexts(texts);
  const { usage_count, success_count, failure_count, success_rate } = composition;
  if (success_rate === null) return t(usage_count > 0 ? "unused_since" : "unused");
  return t("uses", { count: formatNumber(success_count + failure_count), share: formatPercent(success_rate) });
}
