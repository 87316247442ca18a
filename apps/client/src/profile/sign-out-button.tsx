import { useLingui } from '@lingui/react/macro';
import { Button } from '@wlv/ui/button';
import { Dialog, DialogContent, DialogTrigger } from '@wlv/ui/dialog';
import { LogOut } from 'lucide-react';
import type { Audience } from '../session.ts';
import { useSignOut } from '../use-sign-out.ts';

/** Signs out after a question that says what stays and what goes. */
export function SignOutButton({ audience, entry, stays }: { audience: Audience; entry: string; stays: string }) {
  const { t } = useLingui();
  const { leave, leaving } = useSignOut(audience, entry);
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button variant="outline" wide className="mt-5">
          <LogOut aria-hidden />
          {t`Sign out`}
        </Button>
      </DialogTrigger>
      <DialogContent
        title={t`Sign out of this device?`}
        description={stays}
        foot={
          <Button variant="destructive" wide disabled={leaving} onClick={leave}>
            <LogOut aria-hidden />
            {t`Sign out`}
          </Button>
        }
      />
    </Dialog>
  );
}
