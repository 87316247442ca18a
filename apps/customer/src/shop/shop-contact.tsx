import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { useTexts } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { phone as phoneText } from '@wlv/ui/phone';
import { Building2, Mail, MessageCircle, Phone } from 'lucide-react';
import type { ReactNode } from 'react';

/** Who sells before the law, and every way to ask; nothing while the shop has not said it. */
export function ShopContact() {
  const { t } = useLingui();
  const text = useTexts();
  const contact = useQuery(query('/api/user/get/contactus', {})).data?.data[0];
  if (!contact) return null;
  const { phone, email, line_id: line } = contact;
  const name = text(contact, 'legal_name');
  return (
    <Card className="divide-y px-4 py-1">
      {name && (
        <Row icon={<Building2 aria-hidden />} name={t`Sold by`}>
          {name}
          {text(contact, 'address') && (
            <span className="block text-sm text-muted-foreground">{text(contact, 'address')}</span>
          )}
        </Row>
      )}
      {phone && (
        <Row icon={<Phone aria-hidden />} name={t`Phone`}>
          <a href={`tel:${phone}`} className="font-medium text-brand-text">
            {phoneText(phone)}
          </a>
        </Row>
      )}
      {line && (
        <Row icon={<MessageCircle aria-hidden />} name="LINE">
          <a href={`https://line.me/R/ti/p/${encodeURIComponent(line)}`} className="font-medium text-brand-text">
            {line}
          </a>
        </Row>
      )}
      {email && (
        <Row icon={<Mail aria-hidden />} name={t`E-mail`}>
          <a href={`mailto:${email}`} className="font-medium text-brand-text">
            {email}
          </a>
        </Row>
      )}
    </Card>
  );
}

function Row({ icon, name, children }: { icon: ReactNode; name: string; children: ReactNode }) {
  return (
    <div className="flex items-start gap-3.5 py-3.5">
      <span className="grid size-10 shrink-0 place-items-center rounded-[12px] bg-accent text-accent-foreground [&_svg]:size-5">
        {icon}
      </span>
      <div className="min-w-0 wrap-anywhere">
        <p className="text-caption text-quiet">{name}</p>
        <p>{children}</p>
      </div>
    </div>
  );
}
