/** A new skill: where it counts, and its SKILL.md. */
import { Button, Flex, Typography } from "antd";
import { useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { useMayChange } from "@/api/ownership";
import { useThingTitle } from "@/app/navigation/title";
import { usePreferences } from "@/app/state/preferences";
import { useUnsaved } from "@/app/state/unsaved";
import { Segments } from "@/components/forms/Segments";
import { UnsavedNote } from "@/components/forms/UnsavedNote";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { SkillText } from "@/pages/skills/edit/SkillText";
import { template } from "@/pages/skills/edit/template";
import { skillFile, useSkillActions, type Place } from "@/pages/skills/queries";
import { texts } from "@/pages/skills/texts";

const TEMPLATE = template("my-skill");

export function NewSkill() {
  const t = useTexts(texts);
  const navigate = useNavigate();
  useThingTitle(t("new"));
  const projectId = usePreferences((state) => state.projectId);
  const wanted = useSearchParams()[0].get("scope");
  const mayTenant = useMayChange()(null);
  const [chosen, setScope] = useState<Place["scope"]>(wanted === "project" && projectId ? "project" : "tenant");
  const scope = mayTenant ? chosen : "project";
  const { value: draft, isKept, change } = useUnsaved<string>("skills/new");
  const content = draft ?? TEMPLATE;
  const { upload } = useSkillActions();
  const create = () =>
    upload
      .mutateAsync({ files: [skillFile(content)], scope, project_id: projectId })
      .then((skill) => {
        change((now) => (now === content ? null : now));
        void navigate(`/skills/${encodeURIComponent(skill.id)}`);
      })
      .catch(() => undefined);
  return (
    <Flex vertical gap={12}>
      <Link to="/skills">← {t("all")}</Link>
      <Typography.Title level={2} style={{ fontSize: 18, margin: 0 }}>
        {t("new")}
      </Typography.Title>
      {projectId && mayTenant && (
        <Flex gap={8} align="center" wrap>
          <span>{t("scope")}</span>
          <Segments<Place["scope"]>
            aria-label={t("scope")}
            value={scope}
            onChange={setScope}
            options={[
              { value: "tenant", label: t("scope_tenant") },
              { value: "project", label: t("scope_project") },
            ]}
          />
        </Flex>
      )}
      <SkillText value={content} change={(text) => change(text === TEMPLATE ? null : text)} />
      {upload.error && <ErrorNotice error={upload.error} />}
      <Flex gap={8} align="start" wrap>
        <Button type="primary" loading={upload.isPending} disabled={!content.trim()} onClick={create}>
          {t("create")}
        </Button>
        {draft !== null && <UnsavedNote isKept={isKept} isStale={false} discard={() => change(null)} />}
      </Flex>
    </Flex>
  );
}
