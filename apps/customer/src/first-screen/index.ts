/** What the build asks of the customer's app (tooling/first-screen.ts); no browser loads it. */
export { monogramRules } from '@wlv/ui/monogram';
export { phoneRules } from '@wlv/ui/phone';
export { thaiRules } from '@wlv/ui/thai';
export { blocks } from './blocks.ts';
export { languages } from './render.tsx';
export { sitePages } from './site.ts';
export { trials } from './trials.ts';
