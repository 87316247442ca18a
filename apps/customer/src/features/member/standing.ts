import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@wlv/client/api-error';
import { type Body, type Detail, query, type Row } from '@wlv/client/call';
import { type AnyFault, faultSentence } from '@wlv/client/faults';

const path = '/api/user/member/get';

export type Standing = Detail<typeof path>;
export type CardOf = NonNullable<Standing['card']>;
export type Form = Body<'/api/user/member/save'>;
export type CardType = Row<'/api/user/get/membercardtype'>;

/** The card of a customer, or how far he is on the way to one. */
export function useStanding() {
  return useQuery({ ...query(path, {}), staleTime: 30_000 });
}

const pointsPath = '/api/user/member/points';

export type Points = Detail<typeof pointsPath>;

/** What a customer has of points, and what became of them. */
export function usePoints() {
  return useQuery({ ...query(pointsPath, {}), staleTime: 30_000 });
}

/** Calls that change it answer with the whole. The gate may open, or close. */
export function useKeepStanding() {
  const client = useQueryClient();
  return (standing: Standing) => {
    client.setQueryData([path, {}], standing);
    void client.invalidateQueries({ queryKey: ['/api/authen/rechecktoken'] });
  };
}

/** The cards that can be applied for, in the shop's order. */
export function useCardTypes() {
  return useQuery({ ...query('/api/user/get/membercardtype', {}), staleTime: 60_000 });
}

/** What is wrong with which field of the form, by its code. */
export type Wrong = Partial<Record<string, AnyFault>>;

export function wrongOf(error: unknown): Wrong {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(error.fields.map(({ path, fault }) => [path.replace(/^form\./, ''), fault as AnyFault]));
}

/** The sentence of a wrong field. */
export function useSentence() {
  const { t, i18n } = useLingui();
  return (fault: AnyFault | undefined) => {
    if (!fault) return undefined;
    return fault === 'field.required' ? t`Please fill this in` : faultSentence(i18n, fault);
  };
}

/** A number of a card as it is read aloud: letters, then two groups of four. */
export const spaced = (number: string) => number.replace(/^([A-Z]+)(\d{4})(\d{4})$/, '$1 $2 $3');

/** How long a card is valid. */
export function useValidity() {
  const { t } = useLingui();
  return ({ validity, length }: CardType) => {
    if (validity === 'days') return t`Valid for ${length} days`;
    if (validity === 'months') return t`Valid for ${length} months`;
    return validity === 'year' ? t`Valid for the calendar year` : t`No end`;
  };
}
