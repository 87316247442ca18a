import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTexts } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { InnerPage } from '../../shell/inner.tsx';

/** The texts that are in force, to read again at any time. */
export function ConsentsPage() {
  const { t } = useLingui();
  const text = useTexts();
  const terms = useQuery(query('/api/user/get/termsandconditions', {}));
  const privacy = useQuery(query('/api/user/get/pdpa', {}));
  const answers = [terms, privacy];
  const failed = answers.find((answer) => answer.isError);
  const versions = answers.flatMap((answer) => answer.data?.data ?? []);

  return (
    <InnerPage title={t`Terms and privacy`} parent="profile">
      {failed ? (
        <Failure
          title={t`The texts did not load`}
          error={failed.error}
          onRetry={() => answers.forEach((answer) => void answer.refetch())}
        />
      ) : answers.some((answer) => answer.isPending) ? (
        <Skeleton className="h-64 rounded-card" />
      ) : versions.length ? (
        <div className="grid grid-cols-1 gap-3.5 pb-6">
          {versions.map((version) => (
            <Card key={version.version_id} className="p-4">
              <h2 className="text-base font-semibold">{text(version, 'title')}</h2>
              <p className="mt-1.5 whitespace-pre-line text-row text-muted-foreground">{text(version, 'body')}</p>
            </Card>
          ))}
        </div>
      ) : (
        <EmptyState title={t`Nothing to accept here`} line={t`This shop has no terms of its own yet.`} />
      )}
    </InnerPage>
  );
}
