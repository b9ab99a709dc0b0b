/** What can be done with a pattern: try it, offer it to another tenant, say it is useless, delete it. */
import { DislikeOutlined, PlayCircleOutlined, ShareAltOutlined } from "@ant-design/icons";
import { App, Button, Popconfirm } from "antd";
import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { isAdmin, useMe } from "@/api/me";
import { patternPath, type PatternInfo } from "@/api/learned/patterns";
import { EditDeleteButtons } from "@/components/forms/EditDeleteButtons";
import { LinkButton } from "@/components/links/LinkButton";
import { useTexts } from "@/i18n";
import { ShareDialog } from "@/pages/learned/patterns/offers/ShareDialog";
import { usePatternActions } from "@/pages/learned/patterns/queries";
import { texts } from "@/pages/learned/patterns/texts";

interface Buttons {
  buttons: ReactNode;
  error: Error | null;
  dialog: ReactNode;
}

export function usePatternButtons(pattern: PatternInfo, isOpen = false): Buttons {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const { message } = App.useApp();
  const { remove, markUseless } = usePatternActions();
  const [sharing, setSharing] = useState(false);
  const administers = isAdmin(useMe());
  const { id, name } = pattern;
  const leave = () => isOpen && void navigate("/patterns");
  const buttons = (
    <>
      <LinkButton
        size="small"
        icon={<PlayCircleOutlined />}
        aria-label={t("try_of", { name })}
        to={pattern.workflow ? patternPath(id, "workflow") : `/chat?text=${encodeURIComponent(name)}`}
      >
        {t("try")}
      </LinkButton>
      {administers && (
        <Button size="small" icon={<ShareAltOutlined />} aria-label={t("share_of", { name })} onClick={() => setSharing(true)}>
          {t("share")}
        </Button>
      )}
      {pattern.may_change && (
        <>
          <Popconfirm
            title={t("useless_ask", { name })}
            description={t("useless_hint")}
            okText={t("useless")}
            okButtonProps={{ danger: true }}
            cancelText={t("cancel")}
            onConfirm={() =>
              markUseless
                .mutateAsync(id)
                .then(() => {
                  void message.success(t("useless_done", { name }));
                  leave();
                })
                .catch(() => undefined)
            }
          >
            <Button size="small" icon={<DislikeOutlined />} aria-label={t("useless_of", { name })}>
              {t("useless")}
            </Button>
          </Popconfirm>
          <EditDeleteButtons
            name={name}
            editTo={isOpen ? null : patternPath(id, "edit")}
            hint={t("remove_hint")}
            remove={() => remove.mutateAsync(id)}
            onRemoved={leave}
          />
        </>
      )}
    </>
  );
  return {
    buttons,
    error: remove.error ?? markUseless.error,
    dialog: sharing && <ShareDialog pattern={pattern} close={() => setSharing(false)} />,
  };
}
