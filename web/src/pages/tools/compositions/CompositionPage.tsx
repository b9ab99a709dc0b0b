/** One composition: its order with what was measured, a better order, and its form. */
import { Alert, App, Flex, Tabs, Typography } from "antd";
import { Link, useParams, useSearchParams } from "react-router";
import { useMayChange } from "@/api/ownership";
import { useThingTitle } from "@/app/navigation/title";
import { JsonView } from "@/components/code/JsonView";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { Uses } from "@/pages/tools/compositions/CompositionList";
import { CompositionTags } from "@/pages/tools/compositions/CompositionTags";
import { CompositionForm } from "@/pages/tools/compositions/form/CompositionForm";
import { valueOf } from "@/pages/tools/compositions/form/fields";
import { ProposalView } from "@/pages/tools/compositions/order/ProposalView";
import { StageList } from "@/pages/tools/compositions/order/StageList";
import { stagesOf } from "@/pages/tools/compositions/order/stages";
import { COMPOSITIONS } from "@/pages/tools/compositions/places";
import {
  useComposition,
  useCompositionActions,
  useMembers,
  type Composition,
} from "@/pages/tools/compositions/queries";
import { texts } from "@/pages/tools/compositions/texts";
import { useCompositionButtons } from "@/pages/tools/compositions/useCompositionButtons";

export function CompositionPage() {
  const t = useTexts(texts);
  const { compositionId = "" } = useParams();
  const composition = useComposition(compositionId);
  return (
    <Flex vertical gap={12}>
      <Link to={COMPOSITIONS}>← {t("all")}</Link>
      <Resource query={composition}>{(found) => <Open composition={found} />}</Resource>
    </Flex>
  );
}

function Open({ composition }: { composition: Composition }) {
  const t = useTexts(texts);
  const [params, setParams] = useSearchParams();
  const { buttons, error } = useCompositionButtons(composition, true);
  const writes = useMayChange()(composition.project_id);
  useThingTitle(composition.name);
  return (
    <>
      <Flex justify="space-between" gap={12} wrap align="start">
        <div style={{ minWidth: 0 }}>
          <Flex gap={8} wrap align="center">
            <Typography.Title level={2} style={{ fontSize: 20, margin: 0, overflowWrap: "break-word" }}>
              {composition.name}
            </Typography.Title>
            <CompositionTags composition={composition} />
          </Flex>
          <Typography.Paragraph type="secondary" style={{ margin: "4px 0 0", maxWidth: 720 }}>
            {composition.description && <>{composition.description} · </>}
            <Uses composition={composition} />
          </Typography.Paragraph>
        </div>
        <Flex gap={8} wrap>
          {buttons}
        </Flex>
      </Flex>
      {error !== null && <ErrorNotice error={error} />}
      {!composition.is_offered && <Alert type="warning" showIcon title={t("not_offered_hint")} />}
      <Tabs
        activeKey={params.get("tab") ?? "order"}
        onChange={(tab) => setParams({ tab }, { replace: true })}
        items={[
          { key: "order", label: t("order"), children: <Order composition={composition} /> },
          {
            key: "edit",
            label: t(writes ? "edit" : "definition"),
            children: writes ? (
              <Edit key={composition.number} composition={composition} />
            ) : (
              <JsonView value={composition.execution_template} />
            ),
          },
        ]}
      />
    </>
  );
}

function Order({ composition }: { composition: Composition }) {
  const t = useTexts(texts);
  const members = useMembers(composition.id);
  return (
    <Flex vertical gap={24}>
      <div>
        <StageList
          label={t("order")}
          composition={composition}
          stages={stagesOf(composition.execution_template)}
          members={members.data}
        />
        {members.error && <ErrorNotice error={members.error} retry={() => void members.refetch()} />}
        {members.data?.length === 0 && (
          <Typography.Paragraph type="secondary" style={{ margin: "12px 0 0" }}>
            {t("unmeasured")}
          </Typography.Paragraph>
        )}
      </div>
      {composition.execution_template.kind === "sequential" && composition.tools.length > 1 && (
        <ProposalView key={composition.number} composition={composition} />
      )}
    </Flex>
  );
}

function Edit({ composition }: { composition: Composition }) {
  const t = useTexts(texts);
  const { message } = App.useApp();
  const { change } = useCompositionActions();
  return (
    <CompositionForm
      initial={valueOf(composition)}
      okText={t("save")}
      isSaving={change.isPending}
      error={change.error}
      save={({ project_id: _project, ...body }) =>
        // What is saved draws the form anew, and what a `mutate` of the old one was to do is then left out.
        change
          .mutateAsync({ id: composition.id, body: { ...body, number: composition.number } })
          .then(() => void message.success(t("saved")))
          .catch(() => undefined)
      }
    />
  );
}
