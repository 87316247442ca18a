import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTexts } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { Disclosure } from '@wlv/ui/disclosure';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';
import { InnerPage } from '../../shell/inner.tsx';

/** What this shop's customers ask, with its answers. */
export function QuestionsPage() {
  const { t } = useLingui();
  const text = useTexts();
  const questions = useQuery(query('/api/user/get/faq', {}));

  return (
    <InnerPage title={t`Frequently asked questions`} parent="profile">
      {questions.isError ? (
        <Failure
          title={t`The questions did not load`}
          error={questions.error}
          onRetry={() => void questions.refetch()}
        />
      ) : questions.isPending ? (
        <Card role="status" aria-label={t`Loading…`} className="divide-y px-4">
          {Array.from({ length: 4 }, (_, i) => (
            <div key={i} className="flex h-16 items-center">
              <Skeleton className="h-5 w-2/3" />
            </div>
          ))}
        </Card>
      ) : questions.data.data.length ? (
        <Card className="mb-6 divide-y px-4">
          {questions.data.data.map((question) => (
            <Disclosure key={question.id} title={text(question, 'name')}>
              {text(question, 'answer')}
            </Disclosure>
          ))}
        </Card>
      ) : (
        <EmptyState
          title={t`No questions here yet`}
          line={t`If something is unclear, the staff at any place will help.`}
        />
      )}
    </InnerPage>
  );
}
