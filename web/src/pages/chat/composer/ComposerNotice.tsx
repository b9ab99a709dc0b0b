import { Alert } from "antd";
import type { Returned } from "@/pages/chat/composer/outbox/sending";
import { composerTexts } from "@/pages/chat/composer/texts";
import { ApiError, messageOf, nextStep } from "@/api/errors";
import { useTexts } from "@/i18n";

interface Props {
  returned: Returned;
  onClose: () => void;
}

/** Why a message is in the composer again. */
export function ComposerNotice({ returned, onClose }: Props) {
  const t = useTexts(composerTexts);
  const refused = returned.kind === "refused" ? new ApiError(returned.code, returned.message, 400) : null;
  return (
    <Alert
      type="warning"
      showIcon
      role="alert"
      closable={{ onClose }}
      title={refused ? t("refused", { reason: messageOf(refused) }) : t("unconfirmed")}
      description={refused && nextStep(refused)}
    />
  );
}
