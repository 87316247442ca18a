import { useLingui } from '@lingui/react/macro';
import { Fact } from '@wlv/ui/fact';
import { HeartHandshake, ShieldCheck, Store } from 'lucide-react';
import { Article, Section } from './article.tsx';

export function AboutPage() {
  const { t } = useLingui();
  return (
    <Article
      title={t`About us`}
      lead={t`We make vouchers that people really use: easy to buy, easy to use, and honest about the money.`}
    >
      <Fact
        icon={<ShieldCheck aria-hidden />}
        title={t`What is set aside is counted to the satang`}
        line={t`Where the package says so, we set aside what is not used yet. A shop that is paid into an account of its own holds the money itself.`}
      />
      <Fact
        icon={<Store aria-hidden />}
        title={t`The shop stays the shop`}
        line={t`Its name, colours and prices are its own. We only carry payment and proof.`}
      />
      <Fact
        icon={<HeartHandshake aria-hidden />}
        title={t`Rules in plain words`}
        line={t`How long it is valid, where it is honoured and how many times: you read it before you pay.`}
      />
      <Section title={t`Why we began`}>
        <p>
          {t`Paper vouchers get lost, and a photo of a code in a chat can be used by anybody. A spa owner in Chiang Mai asked us for a voucher that knows who holds it, how many times are left, and what the shop has really earned. The rest grew from there.`}
        </p>
      </Section>
      <Section title={t`What we do with money`}>
        <p>
          {t`We act as payment agent for the seller. Each baht that comes in, moves or goes back is written down with its cause, and the books must balance every night before the day is closed.`}
        </p>
      </Section>
    </Article>
  );
}
