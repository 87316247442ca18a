import { useLingui } from '@lingui/react/macro';
import { Questions } from '../../questions.tsx';
import { InnerPage } from '../../shell/inner.tsx';

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
