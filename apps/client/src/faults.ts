import { type I18n, i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Language } from './boot.ts';
import type { OtherFault } from './faults/sentences.ts';
import type { Fault } from './faults.gen.ts';

/** What goes wrong before the server has said anything. */
type LocalFault = 'client.offline' | 'client.unreadable';

export type AnyFault = Fault | LocalFault | OtherFault;

/** These must be at hand without network. */
const local: Record<LocalFault, MessageDescriptor> = {
  'client.offline': msg`No connection right now. Nothing was lost; try again.`,
  'client.unreadable': msg`We couldn't read the answer. Try again in a moment.`,
};

const catalogues = {
  th: () => import('./faults/locales/th.po'),
  en: () => import('./faults/locales/en.po'),
};

let sentences: Record<string, MessageDescriptor> | undefined;
let fetching = false;
let failed = false;

/** Fetches what the server's refusals are called; the first refusal waits for it, no page carries it from the start. */
export async function loadFaults(language = i18n.locale as Language) {
  try {
    const [module, { messages }] = await Promise.all([
      import('./faults/sentences.ts'),
      (catalogues[language] ?? catalogues.th)(),
    ]);
    sentences = module.sentences;
    i18n.load(language, messages);
  } catch (error) {
    failed = true;
    throw error;
  }
}

/** For a change of language: learns them in the new one, if they have been needed at all. */
export async function reloadFaults(language: Language) {
  if (sentences) await loadFaults(language);
}

/**
 * The sentence of a fault in the person's language; one that this build does not know reads as an unreadable answer.
 * A fault that came inside an answer and not as a refusal may be the first one of the page: it has no words until the
 * sentences are there, and is rendered anew then.
 */
export function faultSentence(i18n: I18n, fault: string) {
  const known: Record<string, MessageDescriptor> = { ...sentences, ...local };
  if (!known[fault] && !sentences && !failed) {
    learn();
    return '';
  }
  return i18n._(known[fault] ?? local['client.unreadable']);
}

function learn() {
  if (fetching) return;
  fetching = true;
  loadFaults()
    .catch(() => i18n.load(i18n.locale, {}))
    .finally(() => {
      fetching = false;
    });
}
