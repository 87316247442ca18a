import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTexts } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';

/** The shop's terms and its text on personal data, as they are in force. */
export function Terms() {
  const { t } = useLingui();
  const text = useTexts();
  const terms = useQuery(query('/api/user/get/termsandconditions', {}));
  const privacy = useQuery(query('/api/user/get/pdpa', {}));
  const answers = [terms, privacy];
  const failed = answers.find((answer) => answer.isError);
  const versions = answers.flatMap((answer) => answer.data?.data ?? []);

  if (failed) {
    return (
      <Failure
        title={t`The texts did not load`}
        error={failed.error}
        onRetry={() => answers.forEach((answer) => void answer.refetch())}
      />
    );
  }
  if (answers.some((answer) => answer.isPending)) return <Skeleton className="h-64 rounded-card" />;
  if (!versions.length) {
    return <EmptyState title={t`Nothing to accept here`} line={t`This shop has no terms of its own yet.`} />;
  }
  return (
    <div className="grid grid-cols-1 gap-3.5">
      {versions.map((version) => (
        <Card key={version._id} className="p-4">
          <h2 className="text-base font-semibold">{text(version, 'name')}</h2>
          <p className="mt-1.5 whitespace-pre-line text-row text-muted-foreground">{text(version, 'body')}</p>
        </Card>
      ))}
    </div>
  );
}
