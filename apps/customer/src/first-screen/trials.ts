import type { Boot, Language } from '@wlv/client/boot';
import type { PackageDetail, Part } from '../features/package/package.ts';
import type { Package } from '../shop/package-tile.tsx';
import type { Question } from '../shop/questions.tsx';
import type { Place } from '../shop/service-points.tsx';
import { languages, type Opened, renderer } from './render.tsx';

/** A page with its data as React renders it; api/pages fills the same data into its blocks, and its test compares. */
interface Trial extends Opened {
  lang: Language;
  markup: string;
}

/** Renders so many pages of random shops with random rows: as many of each kind, the same ones each time. */
export async function trials(number: number) {
  const result: Trial[] = [];
  for (const lang of languages) {
    const render = renderer(lang);
    for (let seed = 1; seed <= number / languages.length; seed++) {
      const page = randomPage(dice(seed), seed);
      result.push({ ...page, lang, markup: await render(page) });
    }
  }
  return result;
}

type Dice = ReturnType<typeof dice>;

/** Random choices by mulberry32, the same ones for a seed. */
function dice(seed: number) {
  let state = seed * 0x9e3779b9;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const upTo = (most: number) => Math.floor(next() * (most + 1));
  const of = <T>(...choices: T[]) => choices[upTo(choices.length - 1)] as T;
  const rows = <T>(most: number, row: () => T) => Array.from({ length: upTo(most) }, row);
  const id = () =>
    [8, 4, 4, 4, 12].map((length) => Array.from({ length }, () => upTo(15).toString(16)).join('')).join('-');
  return { upTo, of, rows, id };
}

const words = [
  '',
  'นวดหินร้อนล้านนา 120 นาที แพ็ก 3 ครั้ง',
  'ลูกประคบสมุนไพรสด สำหรับ 2 ท่าน',
  'เวาเชอร์ของคุณยังอยู่ครบ เลือกแพ็กเกจอื่นจากแดชบอร์ดได้ เลือกรสได้เอง',
  'เรือนละไม สปา',
  'โรงแรมสาทรวารี',
  'ร้าน 7 ดอย 199 ถ. ห้วยแก้ว ต.สุเทพ วันธรรมดา แบ่งกันได้',
  'ไอศกรีมยิ้มหวาน',
  'Warm aroma oil massage, 90 minutes',
  `"><script>alert(1)</script>' onload=x {{.Brand}} </main> &amp; <!-- -->`,
  '🎟️ 1,000 บาท',
  ' line one\nline two ',
  '$& $1 \\ %EE%80%80 7,654,321.98',
  '\ue000name\ue001 #tile <!--/app--><div id="app"></div></body>',
  '👩‍🍳 one\u2028two\r\nthree\ufeff {{ .Title }}',
];

function randomPage({ upTo, of, rows, id }: Dice, seed: number): Opened {
  const text = () => of(...words);
  const texts = <Key extends string>(key: Key) =>
    ({ [`${key}_th`]: text(), [`${key}_en`]: text() }) as Record<`${Key}_th` | `${Key}_en`, string>;
  const satang = () => of(1, 99, upTo(100_000), upTo(999_999_999));
  const picture = () => of(null, { id: id(), width: upTo(4000), height: upTo(4000), color: '#a0b0c0' });

  const card = (): Package => ({
    ...texts('name'),
    ...texts('badge'),
    id: id(),
    code: '',
    picture: picture(),
    price_satang: satang(),
    list_price_satang: of(null, satang()),
    remaining: of(null, 0, 1, 17, 20, 21, upTo(5_000_000)),
    sold: of(0, 1, 99, 100, upTo(5_000_000)),
    tags: [],
    featured: of(true, false, false),
    service_points: of(0, 1, 2, upTo(2000)),
    sale_to: null,
  });
  const place = (): Place => ({
    ...texts('name'),
    ...texts('address'),
    ...texts('hours'),
    id: id(),
    phone: of('', '02 000 4471', '053-215 509', '0812345678', '+66 (0)81-234-5678', 'ext. <1>'),
    latitude: of(null, 13.7563, -0.5, 18.79, 1e-7),
    longitude: of(null, 100.5018, 98.98, 0),
  });
  const item = (): Part => ({
    ...texts('name'),
    ...texts('conditions'),
    ...texts('usable'),
    kind: of('item', 'baht'),
    quantity: of(1, 2, upTo(3000) + 1),
    count: of(1, 2, upTo(500_000) + 1),
    valid_days: of(1, 30, 365),
    valid_until: of(null, null, '2027-01-31'),
    last_day: of('2027-01-31', '2028-02-29'),
    transfer_rule: of('none', 'times', 'unlimited'),
    transfer_times: of(1, 2, 5000),
    transfer_together: of(true, false),
    expiry_rule: of('breakage', 'wallet'),
  });
  const question = (): Question => ({ ...texts('name'), ...texts('answer'), id: id() });
  const org: Opened['org'] = {
    ...texts('name'),
    ...texts('tagline'),
    id: id(),
    unique: 'shop',
    logo_url: of(null, `/media/${id()}`),
    primary: '#1f5c4d',
    secondary: '#d9a662',
    liff: { liffuser: '', liffagent: '', lifftrade: '', lifftransfer: '' },
    since: of('2024-01', '2026-12'),
    gifts: '',
    on_primary: '#ffffff',
    protected: of(true, false),
    suspended: false,
    members: false,
  };

  const base = of('/user', '/welovevoucher/1650000099-abcdefgh');
  const packages = (least: Package[]) => {
    const data = [...least, ...rows(of(1, 2, 10), card)];
    const next = of(null, 'after');
    return {
      path: '/api/user/get/salepackage',
      body: {},
      detail: { data, next, total: data.length + (next ? upTo(5000) : 0) },
    };
  };
  const answer = (path: string, data: unknown[]): Boot['data'][number] => ({ path, body: {}, detail: { data } });
  const kinds: (() => Opened)[] = [
    () => ({
      path: `${base}/market`,
      org,
      data: [
        packages([card()]),
        answer(
          '/api/user/get/tags',
          rows(5, () => ({ ...texts('name'), id: id() })),
        ),
      ],
    }),
    () => {
      const detail: PackageDetail = {
        ...card(),
        ...texts('description'),
        per_customer: null,
        refund_rule: of('none', 'asking', 'self'),
        refund_days: 7,
        refund_fee_basis_points: of(0, 500, 750, 1, 10_000),
        refund_until: of('2027-01-31', '2028-02-29'),
        parts: rows(4, item),
        where: rows(of(1, 3), place),
        shop_service_points: of(0, 1, 2, 1093),
        protected: of(true, false),
      };
      return {
        path: `${base}/market/${detail.id}`,
        org,
        data: [{ path: '/api/user/salepackage/detail', body: { id: detail.id }, detail }],
      };
    },
    () => ({
      path: of('/', '/home', '/main'),
      org,
      data: [
        packages([]),
        answer('/api/user/get/service_point', rows(of(1, 6), place)),
        answer('/api/user/get/faq', rows(of(1, 6), question)),
      ],
    }),
  ];
  return (kinds[seed % kinds.length] as () => Opened)();
}
