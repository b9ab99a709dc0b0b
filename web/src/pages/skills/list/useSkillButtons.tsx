/** What can be done with a skill: a built-in one is switched off or replaced, an own one is changed. */
import { DownloadOutlined } from "@ant-design/icons";
import { useMutation } from "@tanstack/react-query";
import { Button, Switch } from "antd";
import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { isAdmin, useMe } from "@/api/me";
import { useMayChange } from "@/api/ownership";
import type { SkillInfo } from "@/api/skills";
import { EditDeleteButtons } from "@/components/forms/EditDeleteButtons";
import { useTexts } from "@/i18n";
import { downloadSkill } from "@/pages/skills/download";
import { OverrideDialog } from "@/pages/skills/list/OverrideDialog";
import { useSkillActions } from "@/pages/skills/queries";
import { texts } from "@/pages/skills/texts";

interface Buttons {
  buttons: ReactNode;
  error: Error | null;
  dialog: ReactNode;
}

export function useSkillButtons(skill: SkillInfo, all: readonly SkillInfo[], isOpen = false): Buttons {
  const t = useTexts(texts);
  const me = useMe();
  const mayChange = useMayChange();
  const navigate = useNavigate();
  const { disable, enable, remove, turn } = useSkillActions();
  const download = useMutation({ mutationFn: downloadSkill });
  const [overriding, setOverriding] = useState(false);
  const { name } = skill;
  const save = (
    <Button
      size="small"
      icon={<DownloadOutlined />}
      aria-label={t("download_of", { name })}
      loading={download.isPending}
      onClick={() => download.mutate(skill)}
    >
      {t("download")}
    </Button>
  );
  const isBack = skill.is_disabled || skill.is_overridden;
  const ofSystem = isAdmin(me) && (
    <>
      <Button
        size="small"
        aria-label={t(isBack ? "enable_of" : "disable_of", { name })}
        loading={disable.isPending || enable.isPending}
        onClick={() => (isBack ? enable : disable).mutate(name)}
      >
        {t(isBack ? (skill.is_overridden ? "use_original" : "enable") : "disable")}
      </Button>
      {!isBack && (
        <Button size="small" aria-label={t("override_of", { name })} onClick={() => setOverriding(true)}>
          {t("override")}
        </Button>
      )}
    </>
  );
  const ofOwn = mayChange(skill.project_id) && (
    <>
      <EditDeleteButtons
        name={name}
        editTo={isOpen ? null : `/skills/${encodeURIComponent(skill.id)}?tab=text`}
        hint={t("remove_hint")}
        remove={() => remove.mutateAsync(skill.id)}
        onRemoved={() => isOpen && void navigate(`/skills?tier=${skill.scope}`)}
      />
      <Switch
        size="small"
        aria-label={t("enabled_of", { name })}
        checked={skill.enabled}
        loading={turn.isPending}
        onChange={(enabled) => turn.mutate({ id: skill.id, enabled })}
      />
    </>
  );
  return {
    buttons: (
      <>
        {skill.is_system_skill && ofSystem}
        {save}
        {!skill.is_system_skill && ofOwn}
      </>
    ),
    error: turn.error ?? disable.error ?? enable.error ?? remove.error ?? download.error,
    dialog: overriding && <OverrideDialog skill={skill} all={all} close={() => setOverriding(false)} />,
  };
}
