import { useLingui } from '@lingui/react/macro';
import { Questions } from '../../shop/questions.tsx';
import { Article } from './article.tsx';

export function ShopQuestionsPage() {
  const { t } = useLingui();
  return (
    <Article title={t`Frequently asked questions`}>
      <Questions />
    </Article>
  );
}
