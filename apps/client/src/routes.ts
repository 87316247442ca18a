import type { ComponentType, ReactNode } from 'react';
import { browserPage } from './browser-page.ts';

/** A component that comes when it is gone to. */
export type Coming<Props = object> = () => Promise<ComponentType<Props>>;

/** What an app says of its routes beside their screens: `declare module '@wlv/client/routes'` names it. */
// biome-ignore lint/suspicious/noEmptyInterface: an app fills it
export interface Facts {}

/** The addresses that an app's links may lead to, as `{ address: … }`; any text where the app does not say. */
// biome-ignore lint/suspicious/noEmptyInterface: an app fills it
export interface Register {}
export type Address = Register extends { address: infer Known extends string } ? Known : string;

/** An address as it stands in the browser. Nothing of it is decoded, so that it can be gone to again as it is. */
export interface Place {
  pathname: string;
  search: string;
  hash: string;
  href: string;
}

export interface Route {
  /** `$name` stands for one part of the path; `$` at its end for the rest, which may be nothing. */
  path: string;
  /** What is around the screen; it stays while the screens in it change. */
  frame?: Coming<{ children: ReactNode }>;
  screen?: Coming;
  /** Asked before anything is shown. It answers the address to go to instead, if the page is not to be shown. */
  before?: (place: Place) => string | undefined | Promise<string | undefined>;
  facts?: Facts;
}

/** Brings what is asked for once; what failed is asked for again. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= load().catch((error: unknown) => {
      asked = undefined;
      throw error;
    });
    return asked;
  };
}

/** Finds the first route of a path, whether it is written large or small, and what its `$name`s stand for. */
export function matcher(routes: Route[]) {
  const table = routes.map((route) => ({ route, pattern: pattern(route.path) }));
  return (pathname: string) => {
    for (const { route, pattern } of table) {
      const found = pattern.exec(pathname);
      if (!found) continue;
      const params = Object.entries(found.groups ?? {}).map(([name, text]) => [name, decoded(text)]);
      return { route, params: Object.fromEntries(params) as Record<string, string> };
    }
    throw new Error(`no route takes ${pathname}`);
  };
}

function pattern(path: string) {
  const parts = path.split('/').filter(Boolean);
  const expressions = parts.map((part) => {
    if (part === '$') return '(?:/.*)?';
    return part.startsWith('$') ? `/(?<${part.slice(1)}>[^/]+)` : `/${part}`;
  });
  return new RegExp(`^${expressions.join('')}/?$`, 'i');
}

/** What is not written as addresses are stays as it is. */
export function decoded(text: string) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What stands at a place: an address to go to instead, or the parts of its page; the screen is missing when it did not come. */
export async function bring({ frame, screen, before }: Route, place: Place) {
  const framed = () => frame?.().catch(() => undefined);
  try {
    const elsewhere = await before?.(place);
    if (elsewhere) return { elsewhere };
    const [Frame, Screen] = await Promise.all([framed(), screen?.()]);
    return { Frame, Screen };
  } catch {
    await loadAnew(place.href);
    return { Frame: await framed() };
  }
}

/**
 * Where the server is there and a script of ours is not, a new version has taken its place: the page is loaded anew, once.
 * Without a connection nothing is: the page that is shown would be lost.
 */
export async function loadAnew(href: string) {
  const last = sessionStorage.getItem('anew');
  sessionStorage.removeItem('anew');
  if (last === href) return;
  if (!(await fetch(href, { method: 'HEAD' }).catch(() => undefined))?.ok) return;
  sessionStorage.setItem('anew', href);
  await browserPage.reload();
}
