/** One pattern: its flow, how well it went and where, its workflow, and its form. */
import { Alert, Flex, Tabs, Typography } from "antd";
import { Link, useParams, useSearchParams } from "react-router";
import { useNames } from "@/api/members";
import { usePattern, type PatternDetail } from "@/api/learned/patterns";
import { useThingTitle } from "@/app/navigation/title";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { Knowledge } from "@/pages/learned/patterns/detail/Knowledge";
import { Uses } from "@/pages/learned/patterns/detail/Uses";
import { EditPattern } from "@/pages/learned/patterns/edit/EditPattern";
import { usesText } from "@/pages/learned/patterns/list/figures";
import { PatternTags } from "@/pages/learned/patterns/list/PatternTags";
import { usePatternButtons } from "@/pages/learned/patterns/list/usePatternButtons";
import { texts } from "@/pages/learned/patterns/texts";
import { WorkflowTab } from "@/pages/learned/patterns/workflow/WorkflowTab";

export function PatternPage() {
  const t = useTexts(texts);
  const { patternId = "" } = useParams();
  const pattern = usePattern(patternId);
  return (
    <Flex vertical gap={12}>
      <Link to="/patterns">← {t("all")}</Link>
      <Resource query={pattern}>{(found) => <Open key={found.id} pattern={found} />}</Resource>
    </Flex>
  );
}

function Open({ pattern }: { pattern: PatternDetail }) {
  const t = useTexts(texts);
  const nameOf = useNames();
  const [params, setParams] = useSearchParams();
  const { buttons, error, dialog } = usePatternButtons(pattern, true);
  useThingTitle(pattern.name);
  return (
    <>
      <Flex justify="space-between" gap={12} wrap align="start">
        <div style={{ minWidth: 0, flex: "1 1 320px" }}>
          <Flex gap={8} wrap align="center">
            <Typography.Title level={2} style={{ fontSize: 20, margin: 0, minWidth: 0, overflowWrap: "break-word" }}>
              {pattern.name}
            </Typography.Title>
            <PatternTags pattern={pattern} />
          </Flex>
          <Typography.Paragraph type="secondary" style={{ margin: "4px 0 0", maxWidth: 720 }}>
            {pattern.description && pattern.description !== pattern.name && <>{pattern.description} · </>}
            {t("of_person", { who: nameOf(pattern.user_id) })} · {usesText(pattern, t)}
          </Typography.Paragraph>
        </div>
        <Flex gap={8} wrap>
          {buttons}
        </Flex>
      </Flex>
      {error && <ErrorNotice error={error} />}
      {dialog}
      {pattern.state !== "trusted" && <Alert type="info" showIcon title={t(`state_${pattern.state}_hint`)} />}
      <Tabs
        activeKey={params.get("tab") ?? "flow"}
        onChange={(tab) => setParams({ tab }, { replace: true })}
        items={[
          { key: "flow", label: t("flow"), children: <Knowledge pattern={pattern} /> },
          { key: "uses", label: t("tab_uses"), children: <Uses pattern={pattern} /> },
          { key: "workflow", label: t("workflow"), children: <WorkflowTab pattern={pattern} /> },
          ...(pattern.may_change ? [{ key: "edit", label: t("edit"), children: <EditPattern pattern={pattern} /> }] : []),
        ]}
      />
    </>
  );
}
