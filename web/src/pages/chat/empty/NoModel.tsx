import { Alert, Flex } from "antd";
import { Link } from "react-router";
import { isAdmin, useMe } from "@/api/me";
import { useNoModel } from "@/pages/chat/empty/sample";
import { emptyTexts } from "@/pages/chat/empty/texts";
import { useTexts } from "@/i18n";

/** Says in one line that no model is there, with the ways out. */
export function NoModel() {
  const t = useTexts(emptyTexts);
  const me = useMe();
  if (!useNoModel()) return null;
  return (
    <Alert
      type="info"
      showIcon
      title={
        <Flex gap="0 12px" wrap>
          <span>{t("no_model")}</span>
          {isAdmin(me) ? <Link to="/models">{t("no_model_admin")}</Link> : t("no_model_member")}
          <Link to="/data">{t("no_model_data")}</Link>
        </Flex>
      }
    />
  );
}
