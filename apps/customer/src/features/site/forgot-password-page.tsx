import { useLingui } from '@lingui/react/macro';
import { Link } from '@wlv/client/router';
import { Button } from '@wlv/ui/button';
import { Article } from './article.tsx';

/** Customers have no password of ours to forget. */
export function ForgotPasswordPage() {
  const { t } = useLingui();
  return (
    <Article
      title={t`Forgot your password?`}
      lead={t`You need none here: customers sign in with LINE. If you can't get into LINE itself, LINE's own help brings you back in.`}
    >
      <Button asChild>
        <Link to="/user/home">{t`Sign in with LINE`}</Link>
      </Button>
      <p className="mt-6 text-muted-foreground">
        {t`Owners and staff with a user name:`}{' '}
        <a className="text-brand-text underline" href="/owner/forgotpassword">{t`set a new password`}</a>
      </p>
    </Article>
  );
}
