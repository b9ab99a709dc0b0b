import { useModelList } from "@/api/models";
import { PageFrame } from "@/components/PageFrame";
import { Resource } from "@/components/Resource";
import { useTexts } from "@/i18n";
import { ModelTable } from "./ModelTable";
import { pageTexts } from "./page.texts";
import { ProjectModels } from "./ProjectModels";
import { Providers } from "./Providers";
import { texts } from "./texts";

export default function ModelsView() {
  const t = useTexts(texts);
  const p = useTexts(pageTexts);
  const list = useModelList();
  return (
    <PageFrame title={p("title")} hint={t("hint")}>
      <Resource query={list}>
        {({ models, providers }) => (
          <>
            <Providers providers={providers} />
            <ModelTable models={models} />
            <ProjectModels models={models} />
          </>
        )}
      </Resource>
    </PageFrame>
  );
}
