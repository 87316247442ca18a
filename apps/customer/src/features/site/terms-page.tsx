import { useLingui } from '@lingui/react/macro';
import { Article, Section } from './article.tsx';

export function TermsPage() {
  const { t } = useLingui();
  return (
    <Article title={t`Terms & Conditions`} lead={t`In force from 01/11/2026.`}>
      <Section title={t`1. Who we are`}>
        <p>{t`We Love Voucher runs the platform and acts as payment agent for the shops on it. The shop is the seller of every voucher, and answers for the goods or services that it promises.`}</p>
      </Section>
      <Section title={t`2. Buying`}>
        <p>{t`The price on the button is the price that is charged. If a price or the stock changes before you confirm, nothing is charged and you are asked again.`}</p>
      </Section>
      <Section title={t`3. The Wallet`}>
        <p>{t`Money in the Wallet can be spent in the shop that the Wallet belongs to. It bears no interest. Each movement has a receipt. The least top-up is ฿100.00.`}</p>
      </Section>
      <Section title={t`4. Using`}>
        <p>{t`A voucher can be used until the end of its last day, Bangkok time, at the places it names. A code that you show or send to others is at your own risk.`}</p>
      </Section>
      <Section title={t`5. Refunds and expiry`}>
        <p>{t`Whether, until when and at what fee you get unused items refunded after you have changed your mind is said by the package before you pay, and stays as it was then. It is open to who paid, while nobody else has held them; what was given or sold on is refunded to who holds it.`}</p>
        <p>{t`Once a voucher has expired, what is left belongs to the shop or goes back to the Wallet of its holder. The package says which before you pay. What the law gives you beyond that stays yours.`}</p>
      </Section>
      <Section title={t`6. Personal data`}>
        <p>{t`We keep what is needed to sell, to honour vouchers and to keep the books as tax law asks. You can see, take away and erase your data in your profile or by writing to us.`}</p>
      </Section>
      <Section title={t`7. Changes and law`}>
        <p>{t`New terms are shown before they bind you. Thai law applies.`}</p>
      </Section>
    </Article>
  );
}
