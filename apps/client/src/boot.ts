export type Language = 'th' | 'en';

export interface Organisation {
  id: string;
  unique: string;
  name_th: string;
  name_en: string;
  tagline_th: string;
  tagline_en: string;
  logo_url: string | null;
  primary: string;
  secondary: string;
  liff: { liffuser: string; liffagent: string; lifftrade: string; lifftransfer: string };
  /** The month from which it is on the platform: 2026-09. */
  since: string;
  /** The folder of its cards as pictures, each {card}.jpg: a message in a chat shows no other drawing. */
  gifts: string;
  /** The colour of a text on its first colour. */
  on_primary: string;
  /** Money of what is not used yet is set aside by the platform. */
  protected: boolean;
  /** It sells nothing for now; what it sold is used as before. */
  suspended: boolean;
  /** Who buys, gives or offers has to be a member. */
  members: boolean;
}

/** What the server knew when it wrote the page. */
export interface Boot {
  lang: Language;
  area: 'customer' | 'agent' | 'backoffice';
  /** Null on the platform's own host. */
  org: Organisation | null;
  line: { liff_base?: string };
  /** Answers that the first screen would ask for. */
  data: { path: string; body: unknown; detail: unknown }[];
}

/** Reads `<script type="application/json" id="boot">`; a page without one is the platform's in Thai. */
export function readBoot(area: Boot['area']): Boot {
  const empty: Boot = { lang: 'th', area, org: null, line: {}, data: [] };
  const text = document.getElementById('boot')?.textContent;
  return text ? { ...empty, ...(JSON.parse(text) as Partial<Boot>) } : empty;
}
