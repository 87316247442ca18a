import { msg } from '@lingui/core/macro';
import { date } from '@wlv/ui/format';
import type { RowOf, StatusStyle } from '../../resource/resource.ts';

export type Certificate = RowOf<'taxcertificate'>;
export type TaxReturn = RowOf<'taxreturn'>;

/** The module of runs, whose tax this is. */
export const taxModule = 'paycommissiontransaction';

/** What changes when something is done with a certificate or a file. */
export const changedByTax = /^\/api\/owner\/(get|detail|taxreturn|approval|story)/;

export const certificateStates = {
  issued: { title: msg({ message: 'Issued', context: 'a tax certificate' }), tone: 'ok' },
  void: { title: msg({ message: 'Void', context: 'a tax certificate' }), tone: 'mute' },
} as const satisfies Record<NonNullable<Certificate['state']>, StatusStyle>;

export const returnStates = {
  made: { title: msg({ message: 'Not filed yet', context: 'a tax file' }), tone: 'warn' },
  filed: { title: msg({ message: 'Filed', context: 'a tax file' }), tone: 'ok' },
  cancelled: { title: msg({ message: 'Cancelled', context: 'a tax file' }), tone: 'mute' },
} as const satisfies Record<NonNullable<TaxReturn['state']>, StatusStyle>;

const waits: StatusStyle = { title: msg`Waits for a second person`, tone: 'warn' };

export const returnLook = ({ state = 'made', waits: asked }: TaxReturn) =>
  state === 'made' && asked ? waits : returnStates[state];

/** The forms as the Revenue Department calls them. */
export const forms: Record<NonNullable<TaxReturn['form']>, { name_th: string; name_en: string }> = {
  PND1: { name_th: 'ภ.ง.ด.1', name_en: 'P.N.D.1' },
  PND53: { name_th: 'ภ.ง.ด.53', name_en: 'P.N.D.53' },
};

/** `11/2026`, of a month's first day or of `2026-11`. */
export const monthOf = (month: string) => date(`${month.slice(0, 7)}-01`).slice(3);
