import { useLingui } from '@lingui/react/macro';
import { Card } from '@wlv/ui/card';
import { Disclosure } from '@wlv/ui/disclosure';
import { Article } from './article.tsx';

export function FaqPage() {
  const { t } = useLingui();
  const questions = [
    [
      t`How do I use a voucher?`,
      t`Open it in "My Voucher & Ticket" at the shop, choose the place and how many, and hold out the QR. Staff scan it once. If nobody scans it within 10 minutes, nothing is used.`,
    ],
    [
      t`What if I do not use it?`,
      t`Where the package says so, your money is set aside until you use it. Once a voucher has expired, what is left belongs to the shop or goes back to your Wallet; the package says which before you pay.`,
    ],
    [
      t`How do I top up?`,
      t`By PromptPay QR from any Thai bank's app, or by card. The least is ฿100.00. A QR lasts 10 minutes; money paid later still comes into your Wallet.`,
    ],
    [
      t`My phone has no signal at the shop`,
      t`Open the QR while you still have a signal. From then on your phone makes the codes by itself for 10 minutes.`,
    ],
    [
      t`Is a screenshot of the QR enough?`,
      t`No. The code changes every 30 seconds, so that nobody can use your voucher with a photo of it.`,
    ],
    [
      t`Who sells, and who gives the receipt?`,
      t`The shop sells. We are its payment agent; every movement in your Wallet has a receipt with a reference.`,
    ],
  ] as const;
  return (
    <Article title={t`Frequently asked questions`}>
      <Card className="divide-y px-5">
        {questions.map(([question, answer]) => (
          <Disclosure key={question} title={question}>
            {answer}
          </Disclosure>
        ))}
      </Card>
    </Article>
  );
}
