import { useLingui } from '@lingui/react/macro';
import { InnerPage } from '../../shell/inner.tsx';
import { Questions } from '../../shop/questions.tsx';

export function QuestionsPage() {
  const { t } = useLingui();
  return (
    <InnerPage title={t`Frequently asked questions`} parent="profile">
      <div className="pb-6">
        <Questions />
      </div>
    </InnerPage>
  );
}
