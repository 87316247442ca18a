import { useLingui } from '@lingui/react/macro';
import { company } from '@wlv/client/company';
import { useTexts } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { Clock, Mail, MapPin, Phone } from 'lucide-react';
import type { ReactNode } from 'react';
import { Article } from './article.tsx';
import { ContactForm } from './contact-form.tsx';

export function ContactPage() {
  const { t } = useLingui();
  const text = useTexts();
  return (
    <Article title={t`Contact`} lead={t`A person answers, every day from 08:30 to 17:30.`}>
      <Card className="divide-y px-5 py-1">
        <Way icon={<Phone aria-hidden />} name={t`Phone`}>
          <a href={`tel:${company.phone.replaceAll(' ', '')}`} className="font-medium text-brand-text">
            {company.phone}
          </a>
        </Way>
        <Way icon={<Mail aria-hidden />} name={t`E-mail`}>
          <a href={`mailto:${company.email}`} className="font-medium text-brand-text">
            {company.email}
          </a>
        </Way>
        <Way icon={<Clock aria-hidden />} name={t`Hours`}>
          08:30–17:30
        </Way>
        <Way icon={<MapPin aria-hidden />} name={text(company, 'name')}>
          {text(company, 'address')}
        </Way>
      </Card>
      <div className="mt-6">
        <ContactForm to="platform" />
      </div>
      <p className="mt-6 text-muted-foreground">
        {t`About a voucher you have bought: have its code at hand, it stands on top of the voucher. About money: the reference on the receipt in your Wallet finds it at once.`}
      </p>
    </Article>
  );
}

function Way({ icon, name, children }: { icon: ReactNode; name: string; children: ReactNode }) {
  return (
    <div className="flex items-start gap-4 py-4">
      <span className="grid size-10 shrink-0 place-items-center rounded-[12px] bg-accent text-accent-foreground [&_svg]:size-5">
        {icon}
      </span>
      <div>
        <h2 className="text-caption text-quiet">{name}</h2>
        <p>{children}</p>
      </div>
    </div>
  );
}
