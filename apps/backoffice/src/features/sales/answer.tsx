import { useLingui } from '@lingui/react/macro';
import { Field } from '@wlv/ui/field';
import { Textarea } from '@wlv/ui/input';
import { useState } from 'react';
import { Question } from '../../record/question.tsx';

interface Props {
  says: { title: string; line: string; button: string };
  /** The customer, who reads why he is refused. */
  who: string;
  /** 'refuse' and 'ask' need words: for the customer, and for the second person. */
  step: string;
  of: { error: Error | null; isPending: boolean };
  onYes: (words: string) => void;
  onDone: () => void;
}

/** Answers what a customer asked for, after asking. */
export function Answer({ says, who, step, of, onYes, onDone }: Props) {
  const { t } = useLingui();
  const [words, setWords] = useState('');
  const [tried, setTried] = useState(false);
  const refuses = step === 'refuse';
  const needsWords = refuses || step === 'ask';
  const unsaid = needsWords && !words.trim();
  return (
    <Question {...says} of={of} onYes={() => (unsaid ? setTried(true) : onYes(words.trim()))} onDone={onDone}>
      {needsWords && (
        <Field
          label={refuses ? t`Why, for ${who} to read` : t`Why, for the second person to read`}
          error={tried && unsaid ? t`Write why` : undefined}
        >
          <Textarea
            value={words}
            maxLength={refuses ? 300 : 500}
            rows={3}
            onChange={(change) => setWords(change.target.value)}
          />
        </Field>
      )}
    </Question>
  );
}
