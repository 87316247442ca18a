import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { query, type Row } from '@wlv/client/call';
import { Failure } from '@wlv/client/failure';
import { useTexts } from '@wlv/client/page';
import { Card } from '@wlv/ui/card';
import { Disclosure } from '@wlv/ui/disclosure';
import { Skeleton } from '@wlv/ui/skeleton';
import { EmptyState } from '@wlv/ui/state';

export type Question = Row<'/api/user/get/faq'>;

/** What this shop's customers ask. */
export function useQuestions() {
  return useQuery(query('/api/user/get/faq', {}));
}

/** All of it with the shop's answers. */
export function Questions() {
  const { t } = useLingui();
  const questions = useQuestions();

  if (questions.isError) {
    return (
      <Failure title={t`The questions did not load`} error={questions.error} onRetry={() => void questions.refetch()} />
    );
  }
  if (questions.isPending) {
    return (
      <Card role="status" aria-label={t`Loading…`} className="divide-y px-4">
        {Array.from({ length: 4 }, (_, i) => (
          <div key={i} className="flex h-16 items-center">
            <Skeleton className="h-5 w-2/3" />
          </div>
        ))}
      </Card>
    );
  }
  if (!questions.data.data.length) {
    return (
      <EmptyState
        title={t`No questions here yet`}
        line={t`If something is unclear, the staff at any place will help.`}
      />
    );
  }
  return (
    <Card className="divide-y px-4">
      {questions.data.data.map((question) => (
        <OneQuestion key={question.id} question={question} />
      ))}
    </Card>
  );
}

export function OneQuestion({ question }: { question: Question }) {
  const text = useTexts();
  return <Disclosure title={text(question, 'name')}>{text(question, 'answer')}</Disclosure>;
}
