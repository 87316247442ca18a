import type { Organisation } from '@wlv/client/boot';
import type { Detail, Row } from '@wlv/client/call';
import { capabilities } from '@wlv/client/capabilities';
import type { ReactNode } from 'react';
import { Feature, More, Rest, TagPill } from '../features/market/market-page.tsx';
import type { PackageDetail, Part } from '../features/package/package.ts';
import {
  About,
  AfterExpiry,
  Booking,
  Conditions,
  ServicePoints as PackagePlaces,
  Protection,
  ReceivedPart,
  RefundRule,
  TransferRule,
  Usable,
  Validity,
} from '../features/package/package-facts.tsx';
import { BuyFoot, Head } from '../features/package/package-page.tsx';
import { SellerLine } from '../features/package/seller.tsx';
import { Fan, KeptSafe, Packages, PlacesSection, QuestionsSection, UsedAt } from '../features/site/shop-home-page.tsx';
import { type Package, PackageTile } from '../shop/package-tile.tsx';
import { OneQuestion, type Question } from '../shop/questions.tsx';
import { OnePlace, type Place } from '../shop/service-points.tsx';
import { hole, type Prints } from './holes.ts';
import type { Opened } from './render.tsx';

/** A block of a first screen in one of its faces: what the server writes where its rows look like this. */
export interface Face {
  page: Opened;
  /** The block's component; the whole page where there is none. */
  part?: ReactNode;
  /** Blocks within it, by name, each as it is rendered here. The server writes as many of them as there are rows. */
  blocks?: Record<string, ReactNode>;
}

/** Every choice of one value for each name, under a key of these values. */
function choices<const Values extends Record<string, readonly string[]>>(
  values: Values,
  face: (chosen: { [Name in keyof Values]: Values[Name][number] }) => Face,
): Record<string, Face> {
  let all: Record<string, string>[] = [{}];
  for (const [name, some] of Object.entries(values)) {
    all = all.flatMap((chosen) => some.map((value) => ({ ...chosen, [name]: value })));
  }
  type Chosen = Parameters<typeof face>[0];
  return Object.fromEntries(all.map((chosen) => [Object.values(chosen).join(' '), face(chosen as Chosen)]));
}

/** One to three tickets, each with a picture or the shop's mark. */
const fans = ['mark', 'picture'].flatMap((first) => [
  first,
  ...['mark', 'picture'].flatMap((second) => [
    `${first} ${second}`,
    ...['mark', 'picture'].map((third) => `${first} ${second} ${third}`),
  ]),
]);

const one = (face: Face) => ({ '': face });

// Numbers are odd enough to be found again once they are formatted.
const price = 765432198;
const listPrice = 8765432197;
/** Of the three tickets on a shop's front. */
const prices = [price, 654321093, 543210992];
const left = 6543219;
const scarce = 17;
const sold = 5432198;
const soldFew = 71;
const places = 4321;
const shopPlaces = 1093;
const total = 3219876;
const parts = 23;
const quantity = 1987;
const uses = 2198;
const worth = 65432195;
const shownOf = 19;
const times = 5219;
const days = 4219;
const phoned = '+98 765-43210';

/** The brand's monogram is found by it: letters that no text has, each a word of the brand. */
const monogram = ['ꙮ', 'ꗞ'] as const;
const brand = `${monogram.join(' ')}${hole('brand')}`;

export const prints: Prints = {
  texts: {
    '7,654,321': 'baht',
    '98': 'satang',
    '87,654,321': 'list baht',
    '97': 'list satang',
    '6,543,210': 'second baht',
    '93': 'second satang',
    '5,432,109': 'third baht',
    '92': 'third satang',
    '79,999,999.99': 'saving',
    '91': 'percent',
    '6,543,219': 'left',
    [scarce]: 'left',
    '5,432,198': 'sold',
    [soldFew]: 'sold',
    [places]: 'service points',
    '1,093': 'shop service points',
    '12/2987': 'since',
    [total]: 'total',
    [parts]: 'number',
    [shownOf]: 'shown',
    '4,367,426': 'uses',
    '1.75': 'each',
    [quantity]: 'quantity',
    '654,321.95': 'worth',
    '5,219': 'times',
    [days]: 'days',
    '31/12/2987': 'until',
    '12.34': 'fee',
  },
  anywhere: {
    [brand]: 'brand',
    [monogram.join('')]: 'monogram',
    [`welovevoucher/${hole('liff')}`]: 'area',
    [Array<string>(parts).fill(hole('name')).join(' · ')]: 'names',
    'tel:+9876543210': 'tel',
    [phoned]: 'phone',
    '12.345678,98.765432': 'position',
  },
};

type Mark = 'monogram' | 'logo';

function shop(mark: Mark, organisation: Partial<Organisation> = {}): Organisation {
  return {
    id: hole('organisation'),
    unique: 'shop',
    name_th: brand,
    name_en: '',
    tagline_th: hole('tagline'),
    tagline_en: '',
    logo_url: mark === 'logo' ? hole('logo') : null,
    primary: '',
    secondary: '',
    liff: { liffuser: '', liffagent: '', lifftrade: '', lifftransfer: '' },
    since: '2987-12',
    gifts: '',
    on_primary: '#ffffff',
    protected: false,
    suspended: false,
    members: false,
    ...organisation,
  };
}

/** Names what is its own to one of several rows. */
const picture = (of = '') => ({ id: hole(`${of}picture`), width: 1, height: 1, color: '#000000' });

const card: Package = {
  id: hole('id'),
  code: '',
  name_th: hole('name'),
  name_en: '',
  badge_th: '',
  badge_en: '',
  picture: null,
  price_satang: price,
  list_price_satang: null,
  remaining: null,
  sold: 0,
  tags: [],
  featured: false,
  service_points: 0,
  sale_to: null,
};

const item: Part = {
  name_th: hole('name'),
  name_en: '',
  kind: 'item',
  quantity: 1,
  count: 1,
  valid_days: days,
  valid_until: null,
  last_day: '2987-12-31',
  transfer_rule: 'none',
  transfer_times: 0,
  transfer_together: false,
  conditions_th: '',
  conditions_en: '',
  usable_th: '',
  usable_en: '',
  expiry_rule: 'breakage',
};

const place: Place = {
  id: hole('id'),
  name_th: hole('name'),
  name_en: '',
  address_th: hole('address'),
  address_en: '',
  phone: '',
  hours_th: hole('hours'),
  hours_en: '',
  latitude: null,
  longitude: null,
};

const detail: PackageDetail = {
  ...card,
  description_th: '',
  description_en: '',
  per_customer: null,
  refund_rule: 'self',
  refund_days: 7,
  refund_fee_basis_points: 0,
  refund_until: '2987-12-31',
  parts: [],
  where: [],
  shop_service_points: shopPlaces,
  protected: false,
};

const tag: Row<'/api/user/get/tags'> = { id: hole('id'), name_th: hole('name'), name_en: '' };

const question: Question = {
  id: hole('id'),
  name_th: hole('name'),
  name_en: '',
  answer_th: hole('answer'),
  answer_en: '',
};

const area = `/welovevoucher/${hole('liff')}`;

const list = (data: Package[], total = data.length, next: string | null = null) => ({
  path: '/api/user/get/salepackage',
  body: {},
  detail: { data, next, total } satisfies Detail<'/api/user/get/salepackage'>,
});

const market = (mark: Mark, ...data: Opened['data']): Opened => ({ path: `${area}/market`, org: shop(mark), data });
const front = (org: Organisation, path = '/', ...data: Opened['data']): Opened => ({ path, org, data });
const packagePage = (mark: Mark, product = detail): Opened => ({
  path: `${area}/market/${product.id}`,
  org: shop(mark),
  data: [{ path: '/api/user/salepackage/detail', body: { id: product.id }, detail: product }],
});

const marks = ['monogram', 'logo'] as const;
/** What stands in a picture's place: the shop's monogram or logo where there is none. */
const pictures = ['monogram', 'logo', 'picture'] as const;
const markOf = (shows: string): Mark => (shows === 'logo' ? 'logo' : 'monogram');
const pictureOf = (shows: string, of?: string) => (shows === 'picture' ? picture(of) : null);

const tile = <PackageTile product={card} />;
const several = (number: number) => Array.from({ length: number }, (_, at) => ({ ...place, id: `${at}` }));

/** A second package, which is told from the first where both stand in one block. */
const other: Package = { ...card, id: hole('other id'), name_th: hole('other name') };

const rest = <Rest packages={[other]} sold={false} sorted={false} />;

/** Every block in every face that it may have. What rows look otherwise has no face, and the server paints nothing. */
export const examples: Record<string, Record<string, Face>> = {
  market: choices({ mark: marks }, ({ mark }) => ({
    page: market(mark, list([card, other], 2, 'next'), {
      path: '/api/user/get/tags',
      body: {},
      detail: { data: [tag] },
    }),
    blocks: {
      tag: <TagPill tag={tag} search={{}} />,
      feature: <Feature product={card} />,
      rest,
      more: <More shown={2} total={2} loading={false} onMore={() => undefined} />,
    },
  })),
  tag: one({ page: market('monogram'), part: <TagPill tag={tag} search={{}} /> }),
  feature: choices(
    { shows: pictures, featured: ['plain', 'featured'], badge: ['none', 'own'], listed: ['whole', 'reduced'] },
    ({ shows, featured, badge, listed }) => ({
      page: market(markOf(shows)),
      part: (
        <Feature
          product={{
            ...card,
            picture: pictureOf(shows),
            featured: featured === 'featured',
            badge_th: badge === 'own' ? hole('badge') : '',
            list_price_satang: listed === 'reduced' ? listPrice : null,
          }}
        />
      ),
    }),
  ),
  rest: choices({ sold: ['unsold', 'sold'], sorted: ['few', 'many'] }, ({ sold, sorted }) => ({
    page: market('monogram'),
    part: <Rest packages={[card]} sold={sold === 'sold'} sorted={sorted === 'many'} />,
    blocks: { tile },
  })),
  more: one({
    page: market('monogram'),
    part: <More shown={shownOf} total={total} loading={false} onMore={() => undefined} />,
  }),
  tile: choices(
    {
      shows: pictures,
      badge: ['none', 'own', 'percent'],
      stock: ['uncounted', 'service points', 'out', 'left'],
      sold: ['unsold', 'sold'],
    },
    ({ shows, badge, stock, sold: selling }) => ({
      page: market(markOf(shows)),
      part: (
        <PackageTile
          product={{
            ...card,
            picture: pictureOf(shows),
            badge_th: badge === 'own' ? hole('badge') : '',
            list_price_satang: badge === 'percent' ? listPrice : null,
            remaining: stock === 'out' ? 0 : stock === 'left' ? left : null,
            service_points: stock === 'service points' ? places : 0,
            sold: selling === 'sold' ? sold : 0,
          }}
        />
      ),
    }),
  ),

  package: choices({ mark: marks, picture: ['none', 'picture'] }, ({ mark, picture: shows }) => {
    const given: Part = {
      ...item,
      transfer_rule: 'unlimited',
      conditions_th: hole('conditions'),
      usable_th: hole('usable'),
    };
    const product: PackageDetail = {
      ...detail,
      picture: pictureOf(shows),
      description_th: hole('description'),
      parts: [given],
      where: [{ ...place, phone: phoned }],
      protected: true,
    };
    return {
      page: packagePage(mark, product),
      blocks: {
        head: <Head product={product} />,
        item: <ReceivedPart part={given} />,
        'seller line': <SellerLine places={shopPlaces} />,
        validity: <Validity part={given} named={false} />,
        ...(capabilities.transfers ? { transfer: <TransferRule part={given} /> } : {}),
        ...(capabilities.refunds ? { refund: <RefundRule product={product} /> } : {}),
        protection: <Protection />,
        usable: <Usable text={hole('usable')} />,
        'after expiry': <AfterExpiry part={given} named={false} />,
        where: <PackagePlaces places={product.where} onOpen={() => undefined} />,
        about: <About text={hole('description')} />,
        conditions: <Conditions text={hole('conditions')} />,
        booking: <Booking places={product.where} onOpen={() => undefined} />,
        foot: <BuyFoot product={product} />,
      },
    };
  }),
  head: choices(
    {
      stock: ['plenty', 'scarce', 'out'],
      sold: ['unsold', 'sold', 'best'],
      listed: ['whole', 'reduced'],
      each: ['single', 'each'],
    },
    ({ stock, sold: selling, listed, each }) => ({
      page: packagePage('monogram'),
      part: (
        <Head
          product={{
            ...detail,
            remaining: stock === 'out' ? 0 : stock === 'scarce' ? scarce : null,
            sold: selling === 'best' ? sold : selling === 'sold' ? soldFew : 0,
            list_price_satang: listed === 'reduced' ? listPrice : null,
            parts: each === 'each' ? [{ ...item, quantity, count: uses }] : [],
          }}
        />
      ),
    }),
  ),
  item: choices({ kind: ['use', 'uses', 'worth', 'worths'] }, ({ kind }) => ({
    page: packagePage('monogram'),
    part: (
      <ReceivedPart
        part={{
          ...item,
          kind: kind.startsWith('use') ? 'item' : 'baht',
          quantity: kind === 'uses' || kind === 'worths' ? quantity : 1,
          count: kind === 'use' ? 1 : kind === 'uses' ? uses : worth,
        }}
      />
    ),
  })),
  'seller line': choices({ number: ['none', 'one', 'several'] }, ({ number }) => ({
    page: packagePage('monogram'),
    part: <SellerLine places={number === 'none' ? 0 : number === 'one' ? 1 : shopPlaces} />,
  })),
  validity: choices({ by: ['days', 'until'], named: ['plain', 'named'] }, ({ by, named }) => ({
    page: packagePage('monogram'),
    part: <Validity part={{ ...item, valid_until: by === 'until' ? item.last_day : null }} named={named === 'named'} />,
  })),
  transfer: choices(
    { rule: ['none', 'once', 'times', 'unlimited'], together: ['apart', 'together'] },
    ({ rule, together }) => ({
      page: packagePage('monogram'),
      part: (
        <TransferRule
          part={{
            ...item,
            transfer_rule: rule === 'once' ? 'times' : rule,
            transfer_times: rule === 'once' ? 1 : times,
            transfer_together: together === 'together',
          }}
        />
      ),
    }),
  ),
  refund: choices(
    { rule: ['none', 'asking', 'self'], fee: ['free', 'fee'], handed: ['kept', 'handed'] },
    ({ rule, fee: less, handed }) => ({
      page: packagePage('monogram'),
      part: (
        <RefundRule
          product={{
            ...detail,
            refund_rule: rule,
            refund_fee_basis_points: less === 'fee' ? 1234 : 0,
            parts: [{ ...item, transfer_rule: handed === 'handed' ? 'times' : 'none' }],
          }}
        />
      ),
    }),
  ),
  protection: one({ page: packagePage('monogram'), part: <Protection /> }),
  'after expiry': choices({ rule: ['breakage', 'wallet'], named: ['plain', 'named'] }, ({ rule, named }) => ({
    page: packagePage('monogram'),
    part: <AfterExpiry part={{ ...item, expiry_rule: rule }} named={named === 'named'} />,
  })),
  booking: choices({ number: ['one', 'several'] }, ({ number }) => ({
    page: packagePage('monogram'),
    part: (
      <Booking
        places={several(number === 'one' ? 1 : 2).map((one) => ({ ...one, phone: phoned }))}
        onOpen={() => undefined}
      />
    ),
  })),
  where: choices({ number: ['bare', 'one', 'several'] }, ({ number }) => ({
    page: packagePage('monogram'),
    part: (
      <PackagePlaces
        onOpen={() => undefined}
        places={
          number === 'several'
            ? several(parts)
            : [{ ...place, address_th: number === 'one' ? hole('where') : '', hours_th: '' }]
        }
      />
    ),
  })),
  about: one({ page: packagePage('monogram'), part: <About text={hole('description')} /> }),
  usable: one({ page: packagePage('monogram'), part: <Usable text={hole('usable')} /> }),
  conditions: one({ page: packagePage('monogram'), part: <Conditions text={hole('conditions')} /> }),
  foot: choices({ stock: ['left', 'out'] }, ({ stock }) => ({
    page: packagePage('monogram'),
    part: <BuyFoot product={{ ...detail, remaining: stock === 'out' ? 0 : null }} />,
  })),

  front: choices(
    { mark: marks, tagline: ['untold', 'tagline'], at: ['root', 'beside'], sells: ['nothing', 'packages'] },
    ({ mark, tagline, at, sells }) => {
      const packages = sells === 'packages' ? [card, other] : [];
      return {
        page: front(
          shop(mark, { protected: true, tagline_th: tagline === 'tagline' ? hole('tagline') : '' }),
          at === 'root' ? '/' : '/home',
          list(packages),
          { path: '/api/user/get/service_point', body: {}, detail: { data: [place] } },
          { path: '/api/user/get/faq', body: {}, detail: { data: [question] } },
        ),
        blocks: {
          'used at': <UsedAt places={[place]} />,
          'service points': <PlacesSection places={[place]} />,
          questions: <QuestionsSection questions={[question]} />,
          ...(packages.length
            ? {
                'kept safe': <KeptSafe />,
                fan: <Fan packages={packages} />,
                packages: <Packages packages={packages} total={2} />,
              }
            : {}),
        },
      };
    },
  ),
  'kept safe': one({ page: front(shop('monogram')), part: <KeptSafe /> }),
  'used at': choices({ number: ['one', 'several'] }, ({ number }) => ({
    page: front(shop('monogram')),
    part: <UsedAt places={several(number === 'one' ? 1 : parts)} />,
  })),
  fan: choices({ mark: marks, tickets: fans }, ({ mark, tickets }) => ({
    page: front(shop(mark)),
    part: (
      <Fan
        packages={tickets.split(' ').map((shows, at) => {
          const of = ['', 'second ', 'third '][at] ?? '';
          return {
            ...card,
            id: hole(`${of}id`),
            name_th: hole(`${of}name`),
            price_satang: prices[at] ?? price,
            picture: pictureOf(shows, of),
          };
        })}
      />
    ),
  })),
  packages: choices({ more: ['all', 'more'] }, ({ more }) => ({
    page: front(shop('monogram')),
    part: <Packages packages={[card]} total={more === 'more' ? total : 1} />,
    blocks: { tile },
  })),
  'service points': choices({ more: ['all', 'more'] }, ({ more }) => ({
    page: front(shop('monogram')),
    part: <PlacesSection places={several(more === 'more' ? parts : 1)} />,
    blocks: { 'service point': <OnePlace place={place} /> },
  })),
  'service point': choices({ phone: ['silent', 'phone'], map: ['unmapped', 'map'] }, ({ phone, map }) => ({
    page: front(shop('monogram')),
    part: (
      <OnePlace
        place={{
          ...place,
          phone: phone === 'phone' ? phoned : '',
          ...(map === 'map' ? { latitude: 12.345678, longitude: 98.765432 } : {}),
        }}
      />
    ),
  })),
  questions: choices({ more: ['all', 'more'] }, ({ more }) => ({
    page: front(shop('monogram')),
    part: (
      <QuestionsSection
        questions={Array.from({ length: more === 'more' ? parts : 1 }, (_, at) => ({ ...question, id: `${at}` }))}
      />
    ),
    blocks: { question: <OneQuestion question={question} /> },
  })),
  question: one({ page: front(shop('monogram')), part: <OneQuestion question={question} /> }),
};
