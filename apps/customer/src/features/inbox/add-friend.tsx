import { useLingui } from '@lingui/react/macro';
import { Button } from '@wlv/ui/button';
import { Note } from '@wlv/ui/note';
import { MessageCircle } from 'lucide-react';
import { usePush } from './push.ts';

/** Asks who is no friend of the shop's account to become one: LINE shows nothing to others. */
export function AddFriend() {
  const { t } = useLingui();
  const { data } = usePush();
  if (!data?.sends || data.friend !== false) return null;
  return (
    <Note className="mb-3.5" icon={<MessageCircle aria-hidden />} title={t`Get what matters in LINE`}>
      <p className="mb-2.5">{t`Add the shop's account as a friend, and gifts, sales and last days reach you in LINE too.`}</p>
      <Button asChild size="row" variant="outline">
        <a href={`https://line.me/R/ti/p/${encodeURIComponent(data.account)}`}>{t`Add ${data.account}`}</a>
      </Button>
    </Note>
  );
}
