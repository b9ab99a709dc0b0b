import { Button, Card, Flex, Popconfirm, Tag, Typography } from "antd";
import { useState } from "react";
import type { ProviderInfo } from "@/api/models";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { CredentialForm } from "@/pages/models/CredentialForm";
import { ModelTest } from "@/pages/models/ModelTest";
import { useCredentialActions, useCredentials, type Credential } from "@/pages/models/queries";
import { texts } from "@/pages/models/texts";

export function Providers({ providers }: { providers: ProviderInfo[] }) {
  const t = useTexts(texts);
  const credentials = useCredentials();
  const [writing, setWriting] = useState<ProviderInfo | null>(null);
  const credentialOf = (name: string) => credentials.data?.find((each) => each.provider === name);
  return (
    <section style={{ marginBottom: 32 }}>
      <h2 style={{ fontSize: 18 }}>{t("providers")}</h2>
      {credentials.error && (
        <ErrorNotice error={credentials.error} retry={() => void credentials.refetch()} />
      )}
      <Flex gap={12} wrap align="start">
        {providers.map((provider) => (
          <ProviderCard
            key={provider.name}
            provider={provider}
            credential={credentialOf(provider.name)}
            write={() => setWriting(provider)}
          />
        ))}
      </Flex>
      {writing && (
        <CredentialForm
          provider={writing}
          credential={credentialOf(writing.name)}
          close={() => setWriting(null)}
        />
      )}
    </section>
  );
}

interface CardProps {
  provider: ProviderInfo;
  credential?: Credential;
  write: () => void;
}

function ProviderCard({ provider, credential, write }: CardProps) {
  const t = useTexts(texts);
  const { remove } = useCredentialActions();
  const named = { provider: provider.title };
  const writing = credential ? "change" : "set_up";
  return (
    <Card size="small" style={{ flex: "1 1 300px", maxWidth: 480 }}>
      <Flex justify="space-between" align="center" gap={8} wrap>
        <h3 style={{ fontSize: 16, margin: 0 }}>{provider.title}</h3>
        <Tag color={provider.by ? "green" : "default"} style={{ margin: 0 }}>
          {t(`by_${provider.by ?? "nobody"}`)}
        </Tag>
      </Flex>
      <div style={{ margin: "8px 0", overflowWrap: "break-word" }}>
        {credential && provider.takes_key && <div>{keyText(credential, t)}</div>}
        {credential?.base_url && <div>{t("address", { url: credential.base_url })}</div>}
        {provider.default_model && (
          <Typography.Text type="secondary">
            {t("default_is", { model: provider.default_model })}
          </Typography.Text>
        )}
      </div>
      {remove.error && <ErrorNotice error={remove.error} />}
      <Flex gap={8} wrap style={{ marginBottom: 8 }}>
        <Button
          size="small"
          type={provider.by ? "default" : "primary"}
          aria-label={t(`${writing}_of`, named)}
          onClick={write}
        >
          {t(writing)}
        </Button>
        {credential && (
          <Popconfirm
            title={t("remove_ask", named)}
            okText={t("remove")}
            okButtonProps={{ danger: true }}
            onConfirm={() => remove.mutate(provider.name)}
          >
            <Button size="small" danger aria-label={t("remove_of", named)}>
              {t("remove")}
            </Button>
          </Popconfirm>
        )}
      </Flex>
      {provider.by && <ModelTest provider={provider} />}
    </Card>
  );
}

function keyText(credential: Credential, t: ReturnType<typeof useTexts<keyof typeof texts.en>>) {
  if (!credential.has_key) return t("no_key");
  return credential.last_four ? t("key_ends", { end: credential.last_four }) : t("own_key");
}
