import { Form, Input } from "antd";
import type { ProviderInfo } from "@/api/models";
import { FormDialog } from "@/components/forms/FormDialog";
import { useTexts } from "@/i18n";
import { useCredentialActions, type Credential } from "@/pages/models/queries";
import { texts } from "@/pages/models/texts";

/** What the API takes to leave a stored key as it is. */
const UNCHANGED = "***";

interface Fields {
  key?: string;
  base_url?: string;
  default_model?: string;
}

interface Props {
  provider: ProviderInfo;
  credential?: Credential;
  close: () => void;
}

export function CredentialForm({ provider, credential, close }: Props) {
  const t = useTexts(texts);
  const { put } = useCredentialActions();
  const named = { provider: provider.title };
  const submit = ({ key, base_url, default_model }: Fields) =>
    put.mutateAsync({
      provider: provider.name,
      key: key?.trim() || (credential?.has_key ? UNCHANGED : null),
      base_url: base_url?.trim() || null,
      default_model: default_model?.trim() || null,
      version: credential?.version ?? 0,
    });
  return (
    <FormDialog<Fields>
      title={t(credential ? "change_of" : "set_up_of", named)}
      okText={t("save")}
      initialValues={{
        base_url: credential?.base_url ?? undefined,
        default_model: credential?.default_model ?? undefined,
      }}
      submit={submit}
      close={close}
    >
      {provider.takes_key && (
        <Form.Item
          name="key"
          label={t("key")}
          extra={t(credential?.has_key ? "key_kept" : "key_hint")}
        >
          <Input.Password autoFocus autoComplete="new-password" spellCheck={false} />
        </Form.Item>
      )}
      {provider.takes_base_url && (
        <Form.Item name="base_url" label={t("base_url")} extra={t("base_url_hint")}>
          <Input type="url" placeholder="https://models.example/v1" spellCheck={false} />
        </Form.Item>
      )}
      <Form.Item name="default_model" label={t("default_model")} extra={t("default_model_hint")}>
        <Input placeholder={provider.default_model ?? ""} spellCheck={false} maxLength={200} />
      </Form.Item>
    </FormDialog>
  );
}
