import { useLingui } from '@lingui/react/macro';
import { Terms } from '../../shop/terms.tsx';
import { Article } from './article.tsx';

export function ShopTermsPage() {
  const { t } = useLingui();
  return (
    <Article title={t`Terms and privacy`}>
      <Terms />
    </Article>
  );
}
