import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { modules } from '@wlv/client/modules.gen';

/** A module of which some call asks for a right. */
export type Module = keyof typeof modules;

type Group = (typeof modules)[Module]['group'];

/** The groups of modules, in the order in which they are shown. */
const groups: Record<Group, MessageDescriptor> = {
  overview: msg`Overview`,
  products: msg`Services and products`,
  counter: msg`At the counter`,
  members: msg`Members`,
  agents: msg`Agents`,
  reports: msg`Reports`,
  settings: msg`Staff and settings`,
};

/** What a permission set gives letters for. */
export const moduleGroups = Object.entries(groups).map(([key, title]) => ({
  title,
  modules: Object.entries(modules)
    .filter(([, { group }]) => group === key)
    .map(([module, { name_th, name_en }]) => ({ module: module as Module, name_th, name_en })),
}));

export const letters = ['v', 'i', 'u', 's'] as const;
export type Letter = (typeof letters)[number];

/** Does this letter do anything in this module? */
export const doesSomething = (module: string, letter: Letter) =>
  module in modules && modules[module as Module].letters.includes(letter);

/** Letters by module. */
export type Rights = Record<string, string[]>;

/** Switches one letter. Without seeing there is nothing else, so taking `v` takes all, and giving another gives `v`. */
export function toggle(rights: Rights, module: string, letter: Letter): Rights {
  const has = rights[module] ?? [];
  if (has.includes(letter)) {
    return { ...rights, [module]: letter === 'v' ? [] : has.filter((one) => one !== letter) };
  }
  return { ...rights, [module]: letters.filter((one) => one === 'v' || one === letter || has.includes(one)) };
}

/** What differs between two sets: letters given and taken, module by module. */
export function differences(before: Rights, after: Rights) {
  const modules = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...modules].flatMap((module) =>
    letters.flatMap((letter) => {
      const [was, is] = [before, after].map((rights) => Boolean(rights[module]?.includes(letter)));
      return was === is ? [] : [{ module, letter, given: Boolean(is) }];
    }),
  );
}

/** How many letters do something. */
export const countOf = (rights: Rights) =>
  Object.keys(rights).reduce((sum, module) => sum + lettersIn(rights, module).length, 0);

/** The letters of a module that do something. */
export const lettersIn = (rights: Rights, module: string) =>
  letters.filter((letter) => rights[module]?.includes(letter) && doesSomething(module, letter));
