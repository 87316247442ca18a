import type { Language } from '@wlv/client/boot';
import { renderer } from './render.tsx';

/** The platform's own pages, which say the same to everybody. */
const pages = ['/', '/aboutus', '/partner', '/contact', '/faq', '/termsandconditions'];

/** Renders them whole, by their addresses. */
export async function sitePages(lang: Language) {
  const render = renderer(lang);
  const result: Record<string, string> = {};
  for (const path of pages) result[path] = await render({ path, org: null, data: [] });
  return result;
}
