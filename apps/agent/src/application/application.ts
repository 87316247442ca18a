import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@wlv/client/api-error';
import { type Body, type Detail, query } from '@wlv/client/call';
import { type AnyFault, faultSentence } from '@wlv/client/faults';
import { useArea } from '../area.tsx';

const path = '/api/agent/register/get';

export type Application = Detail<typeof path>;
export type Form = Body<'/api/agent/register/save'>;
export type Filling = NonNullable<Application['draft']>;
export type Sent = NonNullable<Application['sent']>;

/** What a person is here as an agent, what he is filling in, and what he has sent. */
export function useApplication() {
  const { signedIn } = useArea();
  return useQuery({ ...query(path, {}), enabled: signedIn, staleTime: 30_000 });
}

/** Every call of the registration answers with the whole. */
export function useKeepApplication() {
  const client = useQueryClient();
  return (application: Application) => client.setQueryData([path, {}], application);
}

export const steps = ['self', 'account', 'pictures', 'code'] as const;
export type Step = (typeof steps)[number];

/** In which step a field of the form stands. */
const fieldsOf: Record<Exclude<Step, 'code'>, string[]> = {
  self: [
    'kind',
    'firstname',
    'lastname',
    'company_name',
    'tax_id',
    'branch',
    'idcard',
    'birthdate',
    'mobilenumber',
    'emailaddress',
    'address',
    'subdistrict',
    'district',
    'province',
    'postcode',
    'nationality',
    'referercode',
  ],
  account: ['bank', 'account_number', 'account_name'],
  pictures: ['picture_idcard', 'picture_bank'],
};

export function stepOf(field: string): Exclude<Step, 'code'> {
  if (fieldsOf.account.includes(field)) return 'account';
  return fieldsOf.pictures.includes(field) ? 'pictures' : 'self';
}

/** What is wrong with which field, by its code. */
export type Wrong = Partial<Record<string, AnyFault>>;

export function wrongOf(error: unknown): Wrong {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(error.fields.map(({ path, fault }) => [path, fault as AnyFault]));
}

/** The sentence of a wrong field. */
export function useSentence() {
  const { t, i18n } = useLingui();
  return (fault: AnyFault | undefined) => {
    if (!fault) return undefined;
    return fault === 'field.required' ? t`Please fill this in` : faultSentence(i18n, fault);
  };
}

const rules: Record<string, RegExp> = {
  idcard: /^[0-9A-Z]{6,13}$/,
  tax_id: /^[0-9A-Z]{10,13}$/,
  branch: /^\d{5}$/,
  postcode: /^[1-9]\d{4}$/,
  birthdate: /^\d{4}-\d{2}-\d{2}$/,
  nationality: /^[A-Z]{2}$/,
};

const adult = 20;

/** What of a step cannot be right, before the server is asked. It has the same rules (tenants/payee). */
export function check(form: Form, step: 'self' | 'account', today = new Date()): Wrong {
  const wrong: Wrong = {};
  const company = form.kind === 'company';
  for (const field of fieldsOf[step]) {
    if (field === 'kind' || field === 'referercode') continue;
    if (!company && ['company_name', 'tax_id', 'branch'].includes(field)) continue;
    if (company && field === 'birthdate') continue;
    const value = plain(field, String(form[field as keyof Form] ?? ''));
    if (!value) wrong[field] = 'field.required';
    else if (rules[field] && !rules[field].test(value)) wrong[field] = 'field.format';
  }
  if (step === 'self' && !wrong.mobilenumber && !/^\d{8,10}$/.test(plain('mobilenumber', form.mobilenumber))) {
    wrong.mobilenumber = 'payee.mobile';
  }
  if (step === 'self' && !wrong.emailaddress && !/^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/.test(form.emailaddress.trim())) {
    wrong.emailaddress = 'field.email';
  }
  if (step === 'self' && !company && !wrong.birthdate && ageOn(form.birthdate, today) < adult) {
    wrong.birthdate = 'agent.too_young';
  }
  return wrong;
}

const numbers = ['idcard', 'tax_id', 'branch', 'mobilenumber', 'postcode', 'account_number'];

/** A value as the server keeps it. */
export function plain(field: string, value: string) {
  return numbers.includes(field) ? value.replace(/[\s.-]/g, '').toUpperCase() : value.trim();
}

function ageOn(birthdate: string, today: Date) {
  const [year = 0, month = 0, day = 0] = birthdate.split('-').map(Number);
  const before = today.getMonth() + 1 < month || (today.getMonth() + 1 === month && today.getDate() < day);
  return today.getFullYear() - year - (before ? 1 : 0);
}

/** A mobile number of Thailand, to which a code can be sent. */
export const canBeVerified = (number: string) => /^0[689]\d{8}$/.test(plain('mobilenumber', number));
