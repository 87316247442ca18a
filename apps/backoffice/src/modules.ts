import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { lettersOf } from '@wlv/client/modules.gen';

/** A module of which some call asks for a right. */
export type Module = keyof typeof lettersOf;

/** What a permission set gives letters for, in the menu's order. */
export const moduleGroups: { title: MessageDescriptor; modules: { module: Module; title: MessageDescriptor }[] }[] = [
  {
    title: msg`Overview`,
    modules: [
      { module: 'dashboard', title: msg`Dashboard` },
      { module: 'customer', title: msg`Customers` },
    ],
  },
  {
    title: msg`Services and products`,
    modules: [
      { module: 'salepackage', title: msg`Packages` },
      { module: 'giftvoucher', title: msg`Gift vouchers` },
      { module: 'vouchertype', title: msg`Voucher types` },
      { module: 'voucher', title: msg`Vouchers` },
      { module: 'discount', title: msg`Discounts` },
      { module: 'tags', title: msg`Tags` },
    ],
  },
  {
    title: msg`At the counter`,
    modules: [
      { module: 'activevoucher', title: msg`Using vouchers at the counter` },
      { module: 'servicepoint', title: msg`Service points` },
    ],
  },
  {
    title: msg`Members`,
    modules: [
      { module: 'membercardtype', title: msg`Member card types` },
      { module: 'privilage', title: msg`Privileges` },
    ],
  },
  {
    title: msg`Agents`,
    modules: [
      { module: 'agent', title: msg`Agents` },
      { module: 'agentsetting', title: msg`Agent types` },
    ],
  },
  {
    title: msg`Reports`,
    modules: [
      { module: 'dailytransaction', title: msg`Daily sales` },
      { module: 'soldtransaction', title: msg`Orders` },
      { module: 'depositqrtransaction', title: msg`Top-ups` },
      { module: 'wallettransaction', title: msg`Wallets` },
    ],
  },
  {
    title: msg`Staff and settings`,
    modules: [
      { module: 'staff', title: msg`Staff` },
      { module: 'permission', title: msg`Permission sets` },
      { module: 'setting', title: msg`Organisation` },
      { module: 'pdpa', title: msg`Privacy (PDPA)` },
      { module: 'termsandconditions', title: msg`Terms and conditions` },
      { module: 'payment', title: msg`Payments` },
    ],
  },
];

export const letters = ['v', 'i', 'u', 's'] as const;
export type Letter = (typeof letters)[number];

/** Does this letter do anything in this module? */
export const doesSomething = (module: string, letter: Letter) =>
  module in lettersOf && lettersOf[module as Module].includes(letter);

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
