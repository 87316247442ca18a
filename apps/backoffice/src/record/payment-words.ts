import { msg } from '@lingui/core/macro';
import type { StatusStyle } from '../resource/resource.ts';

export const paymentPurposes = {
  topup: { title: msg`Top-up` },
  order: { title: msg({ message: 'Order', context: 'a purchase' }) },
  offer: { title: msg({ message: 'Offer', context: 'of the board' }) },
  duplicate: { title: msg`Paid twice` },
};

export const paymentMethods = { promptpay: { title: msg`PromptPay QR` }, card: { title: msg`Card` } };

export const paymentStates: Record<'created' | 'awaiting' | 'captured' | 'expired' | 'failed', StatusStyle> = {
  created: { title: msg`Started`, tone: 'mute' },
  awaiting: { title: msg`Waiting for payment`, tone: 'warn' },
  captured: { title: msg`Paid`, tone: 'ok' },
  expired: { title: msg`Not paid`, tone: 'mute' },
  failed: { title: msg`Failed`, tone: 'bad' },
};
