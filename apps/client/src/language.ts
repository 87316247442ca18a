import { i18n, type Messages } from '@lingui/core';
import type { Language } from './boot.ts';
import { reloadFaults } from './faults.ts';
import { messages as sharedThai } from './locales/th.po';

type Load = () => Promise<{ messages: Messages }>;

/** An app's own sentences: Thai comes with the script, English when it is asked for. */
export interface MessageCatalog {
  th: Messages;
  en: Load;
  /** What only later screens say; see `loadMoreMessages`. */
  later?: Record<Language, Load>;
}

let more = false;

/** Shows everything in this language and remembers it for the longest time a browser allows. */
export async function setLanguage(language: Language, messageCatalog: MessageCatalog) {
  i18n.load(language, { ...(await shared(language)), ...(await own(language, messageCatalog)) });
  if (more) await loadMoreMessages(messageCatalog, language);
  await reloadFaults(language);
  i18n.activate(language);
  document.documentElement.lang = language;
  // Browsers cap the specification's 2147483647 seconds at 400 days, so each visit writes it again.
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every phone we serve
  document.cookie = `lang=${language}; max-age=2147483647; path=/; samesite=lax`;
}

/** Loads what the later screens say; each of them waits for it. */
export async function loadMoreMessages(messageCatalog: MessageCatalog, language = i18n.locale as Language) {
  more = true;
  const later = await messageCatalog.later?.[language]();
  if (later) i18n.load(language, later.messages);
}

async function shared(language: Language) {
  return language === 'th' ? sharedThai : (await import('./locales/en.po')).messages;
}

async function own(language: Language, messageCatalog: MessageCatalog) {
  return language === 'th' ? messageCatalog.th : (await messageCatalog.en()).messages;
}

/** The one of a record's two texts that this person reads; the other where it is empty. */
export function pick<Key extends string>(
  record: { [K in `${Key}_th` | `${Key}_en`]?: string | null },
  key: Key,
  language: string,
): string {
  const texts = record as Record<string, string | null | undefined>;
  const [first, second] = language === 'en' ? ['en', 'th'] : ['th', 'en'];
  return texts[`${key}_${first}`] || texts[`${key}_${second}`] || '';
}
