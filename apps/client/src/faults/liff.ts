import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** What LINE's kit says when it does not do something, word for word, and what a person reads then. */
export const liffErrors = {
  'no proper argument': msg`Nothing was sent: there was no message. Open the page again.`,
  'exceed the limit of num of messages': msg`Nothing was sent: LINE takes five messages at a time.`,
  'invalid URL.': msg`LINE does not open this link. Copy it and paste it into a chat.`,
  'No permission to specify line schema in url.': msg`The shop's LINE app may not put this link on the home screen.`,
  'No permission to specify description.': msg`The shop's LINE app may not describe a link on the home screen.`,
  'Timeout: not finished within 10min': msg`Nothing was sent: nobody was chosen within 10 minutes. Try again.`,
  'Could not get Context from server.': msg`LINE does not answer right now. Try again in a moment.`,
  'Could not get endpointUrl from server.': msg`LINE does not say where the shop's app is. Copy the link instead.`,
  'Could not get permanentLinkPattern from server.': msg`LINE does not say how the shop's links look. Copy the link instead.`,
  'Current page is not under entrypoint.': msg`LINE does not open this page. Copy its address instead.`,
  'Should run after liff init.': msg`LINE is not ready yet. Open the page again.`,
  'Invalid LIFF ID.': msg`LINE does not know the shop's app. Please contact the shop.`,
} satisfies Record<string, MessageDescriptor>;

export type LiffError = keyof typeof liffErrors;
