import { useLingui } from '@lingui/react/macro';
import { company } from '@wlv/client/company';
import { Button } from '@wlv/ui/button';
import { Card } from '@wlv/ui/card';
import { Fact } from '@wlv/ui/fact';
import { ChartLine, Mail, QrCode, Users } from 'lucide-react';
import { Article, Section } from './article.tsx';
import { useSisterServices } from './sister-services.ts';

export function PartnerPage() {
  const { t } = useLingui();
  const subject = encodeURIComponent(t`Open a shop with We Love Voucher`);
  return (
    <Article
      title={t`Open a shop with us`}
      lead={t`Sell packages and gift vouchers in LINE, under your own name and colours.`}
    >
      <Fact
        icon={<QrCode aria-hidden />}
        title={t`One scan at the counter`}
        line={t`Staff scan with the phone they have. A code used once can't be used again, and a screenshot is worthless a minute later.`}
      />
      <Fact
        icon={<Users aria-hidden />}
        title={t`Agents who sell for you`}
        line={t`Each agent has a link of his own, and commission is counted with every sale.`}
      />
      <Fact
        icon={<ChartLine aria-hidden />}
        title={t`Figures you can trust`}
        line={t`Sold, used and still owed: the sums agree with the wallet to the satang.`}
      />
      <Section title={t`How to begin`}>
        <p>
          {t`Write to us with your shop's name, what you would like to sell and a phone number. We call back within one working day, set your shop up with you, and you can sell the same week.`}
        </p>
        <Button asChild className="mt-2 justify-self-start">
          <a href={`mailto:${company.email}?subject=${subject}`}>
            <Mail aria-hidden />
            {t`Write to us`}
          </a>
        </Button>
      </Section>
      <Section title={t`Our other services`}>
        <div className="mt-2 grid gap-3 sm:grid-cols-2">
          {useSisterServices().map(({ id, name, line }) => (
            <Card key={id} id={id} className="scroll-mt-24 p-4">
              <h3 className="text-base font-semibold text-foreground">{name}</h3>
              <p className="mt-0.5 text-sm">{line}</p>
            </Card>
          ))}
        </div>
      </Section>
    </Article>
  );
}
