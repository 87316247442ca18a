import type { Body } from '@wlv/client/call';

export type Draft = Omit<Body<'/api/admin/organize/save'>, 'hosts' | 'logo'> & {
  /** One host a line, as the form shows them. */
  hosts: string;
  /** A data URL; empty where there is none. */
  logo: string;
};

const draftKey = 'organize-draft';

const empty: Draft = {
  unique: '',
  name_th: '',
  name_en: '',
  tagline_th: '',
  tagline_en: '',
  plan_id: '',
  template_id: '',
  background_color_primary: '#061c33',
  background_color_secondary: '#d3ae55',
  hosts: '',
  logo: '',
  liff: { liffuser: '', liffagent: '', lifftrade: '', lifftransfer: '' },
  line: { channel_id: '', channel_secret: '' },
  payment: { public_key: '', secret_key: '', webhook_secret: '' },
  owner: { username: '', name: '', password: '' },
};

/** What was typed the last time, on this machine. */
export function readDraft(): Draft {
  const kept = localStorage.getItem(draftKey);
  if (!kept) return empty;
  const draft = JSON.parse(kept) as Partial<Draft>;
  return { ...empty, ...draft, liff: { ...empty.liff, ...(draft.liff && 'liffuser' in draft.liff ? draft.liff : {}) } };
}

/** Keeps what is typed, so that the wizard can be left at any step; secrets are never kept. */
export function keepDraft(draft: Draft) {
  const { line, payment, owner, ...rest } = draft;
  const safe: Draft = {
    ...rest,
    line: { ...line, channel_secret: '' },
    payment: { ...payment, secret_key: '', webhook_secret: '' },
    owner: { ...owner, password: '' },
  };
  localStorage.setItem(draftKey, JSON.stringify(safe));
}

export function dropDraft() {
  localStorage.removeItem(draftKey);
}

/** The hosts as typed; without one, the short name under the platform's own host, which the administration is on. */
export function hostsOf({ hosts, unique }: Pick<Draft, 'hosts' | 'unique'>) {
  const typed = hosts.split(/\s+/).filter(Boolean);
  return typed.length || !unique ? typed : [`${unique}.${location.hostname}`];
}

/** What is sent: the hosts one by one, and of the logo the bytes in base64, where there is one. */
export function bodyOf({ logo, template_id, ...draft }: Draft): Body<'/api/admin/organize/save'> {
  return {
    ...draft,
    ...(template_id && { template_id }),
    hosts: hostsOf(draft),
    ...(logo && { logo: logo.replace(/^data:[^,]*,/, '') }),
  };
}
