import type { MessageDescriptor } from '@lingui/core';
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';

/** One screen of the owner's office: `/owner/{path}`, and `/owner/{path}/{id}` for one record over it. */
export interface Screen {
  path: string;
  title: MessageDescriptor;
  /** Seen by who has `v` in this module. */
  module: string;
  component: ComponentType<{ id?: string | undefined }>;
}

/** An entry of the menu: a screen of its own, or several under one name. */
export interface MenuGroup {
  title: MessageDescriptor;
  icon: LucideIcon;
  screens: Screen[];
}

/** The menu, the routes and the rights come from this one list (specification 2.5). */
export const menu: MenuGroup[] = [];

export function findScreen(path: string) {
  for (const group of menu) {
    const found = group.screens.find((one) => one.path === path);
    if (found) return { group, screen: found };
  }
  return null;
}
