import { useModelList } from "@/api/models";
import { PageFrame } from "@/components/page/PageFrame";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { ModelTable } from "@/pages/models/ModelTable";
import { pageTexts } from "@/pages/models/page.texts";
import { ProjectModels } from "@/pages/models/ProjectModels";
import { Providers } from "@/pages/models/Providers";
import { texts } from "@/pages/models/texts";

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
