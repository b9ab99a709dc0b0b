/** What can be done with a sub-agent: an own one is changed, a built-in one copied or replaced. */
import { CopyOutlined } from "@ant-design/icons";
import { Switch } from "antd";
import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { useMayChange } from "@/api/ownership";
import type { SubAgentInfo } from "@/api/subagents";
import { usePreferences } from "@/app/state/preferences";
import { EditDeleteButtons } from "@/components/forms/EditDeleteButtons";
import { LinkButton } from "@/components/links/LinkButton";
import { useTexts } from "@/i18n";
import { useSubAgentActions } from "@/pages/subagents/queries";
import { texts } from "@/pages/subagents/texts";

export function useSubAgentButtons(agent: SubAgentInfo, isOpen = false): { buttons: ReactNode; error: Error | null } {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const { enable, remove } = useSubAgentActions((switched) => {
    if (isOpen && switched.id !== agent.id) {
      void navigate(`/subagents/${encodeURIComponent(switched.id)}`, { replace: true });
    }
  });
  const { name } = agent;
  const id = encodeURIComponent(agent.id);
  const mayChange = useMayChange();
  const projectId = usePreferences((state) => state.projectId);
  const isOwn = mayChange(agent.project_id);
  const makes = mayChange(projectId);
  const buttons = (
    <>
      {makes && (
        <LinkButton
          size="small"
          icon={<CopyOutlined />}
          aria-label={t("copy_of", { name })}
          to={`/subagents/new?from=${id}&how=copy`}
        >
          {t("copy")}
        </LinkButton>
      )}
      {makes && agent.is_built_in && !agent.is_overridden && (
        <LinkButton size="small" aria-label={t("override_of", { name })} to={`/subagents/new?from=${id}&how=override`}>
          {t("override")}
        </LinkButton>
      )}
      {isOwn && !agent.is_built_in && (
        <EditDeleteButtons
          name={name}
          editTo={isOpen ? null : `/subagents/${id}?tab=settings`}
          hint={t(agent.is_override ? "remove_override_hint" : "remove_hint")}
          remove={() => remove.mutateAsync(agent.id)}
          onRemoved={() => isOpen && void navigate("/subagents")}
        />
      )}
      {/* Of one that is replaced the replacement is switched. */}
      {isOwn && !agent.is_overridden && (
        <Switch
          size="small"
          aria-label={t("enabled_of", { name })}
          checked={agent.enabled}
          loading={enable.isPending}
          onChange={(enabled) => enable.mutate({ id: agent.id, enabled })}
        />
      )}
    </>
  );
  return { buttons, error: enable.error ?? remove.error };
}
