/** What the calls take and answer, until it is generated from the API's own description. */
interface Post<Body, Detail> {
  post: {
    requestBody: { content: { 'application/json': Body } };
    responses: { 200: { content: { 'application/json': { result: true; code: number; message: string; detail: Detail } } } };
  };
}

interface ListBody<Filter = Record<string, never>> {
  filter?: Filter;
  search?: string;
  select?: string[];
  sort?: string;
  limit?: number;
  after?: string;
}

interface List<Row> {
  data: Row[];
  next: string | null;
  total: number;
}

type Empty = Record<string, never>;
type Audience = 'user' | 'agent' | 'owner' | 'staff' | 'admin';

interface Picture {
  id: string;
  width: number;
  height: number;
  colour: string;
}

interface Card {
  id: string;
  code: string;
  name_th: string;
  name_en: string;
  badge_th: string;
  badge_en: string;
  picture: Picture | null;
  price_satang: number;
  list_price_satang: number | null;
  remaining: number | null;
  sold: number;
  tags: string[];
  featured: boolean;
  places: number;
  sale_to: string | null;
}

interface Place {
  id: string;
  name_th: string;
  name_en: string;
  address_th: string;
  address_en: string;
  phone: string;
  hours_th: string;
  hours_en: string;
  latitude: number | null;
  longitude: number | null;
}

interface PackageDetail extends Card {
  description_th: string;
  description_en: string;
  per_customer: number | null;
  items: {
    name_th: string;
    name_en: string;
    kind: 'item' | 'baht';
    quantity: number;
    count: number;
    valid_days: number | null;
    valid_until: string | null;
    transfer_rule: 'none' | 'times' | 'unlimited';
    transfer_times: number;
    transfer_together: boolean;
    conditions_th: string;
    conditions_en: string;
  }[];
  where: Place[];
  protected: boolean;
}

interface Consent {
  version_id: string;
  kind: 'pdpa' | 'terms';
  title_th: string;
  title_en: string;
  body_th: string;
  body_en: string;
}

interface Line {
  package_id: string;
  quantity: number;
}

interface Quote {
  hash: string;
  lines: (Line & {
    name_th: string;
    name_en: string;
    picture: string | null;
    unit_satang: number;
    amount_satang: number;
  })[];
  total_satang: number;
  balance_satang: number;
  missing_satang: number;
  topup_satang: number;
  topup_is_minimum: boolean;
  consents: Consent[];
}

interface Voucher {
  id: string;
  code: string;
  name_th: string;
  name_en: string;
  picture: string | null;
  kind: 'item' | 'baht';
  state: 'ready' | 'in_use' | 'used' | 'expired' | 'on_sale' | 'in_transfer' | 'refunded' | 'void' | 'frozen';
  items_total: number;
  items_left: number;
  valid_until: string;
  places: number;
  use_session: { id: string; expires_at: string } | null;
}

interface Movement {
  id: string;
  kind: string;
  title_th: string;
  title_en: string;
  amount_satang: number;
  after_satang: number;
  at: string;
  cause_id: string | null;
}

interface Topup {
  id: string;
  amount_satang: number;
  method: 'promptpay' | 'card';
  state: 'awaiting' | 'captured' | 'expired' | 'failed';
  qr_image_url: string | null;
  reference: string;
  payee: string;
  expires_at: string;
  captured_at: string | null;
  late: boolean;
  authorize_url: string | null;
}

interface UseSession {
  id: string;
  voucher_id: string;
  secret: string;
  typed_code: string;
  items: number;
  items_left: number;
  state: 'open' | 'used' | 'cancelled' | 'expired';
  opened_at: string;
  expires_at: string;
  server_time: string;
  organisation_tag: string;
  place_th: string;
  place_en: string;
  name_th: string;
  name_en: string;
  kind: 'item' | 'baht';
}

interface Redemption {
  id: string;
  at: string;
  name_th: string;
  name_en: string;
  kind: 'item' | 'baht';
  items: number;
  items_left: number;
  place_th: string;
  place_en: string;
}

interface Profile {
  id: string;
  displayName: string;
  pictureUrl: string;
  firstname: string;
  lastname: string;
  emailaddress: string;
  gender: '' | 'male' | 'female' | 'other';
  referercode: string;
  agent: boolean;
  membercard: boolean;
}

interface Session {
  profile: Profile;
  org: { id: string; unique: string };
  gate: null | 'member' | 'registermember';
}

export interface paths {
  '/api/authen/web/client/{key}': Post<{ session: string; channel: string; token?: string; autorenew?: boolean }, { token: string }>;
  '/api/authen/line/start': Post<{ audience: Audience; unique?: string; liff_id?: string; return: string }, { url: string }>;
  '/api/authen/line/finish': Post<{ code: string; state: string }, { token: string; return: string; audience: Audience }>;
  '/api/authen/webclient/{unique}/line': Post<{ LINETOKEN: string; unique: string; addorg: true }, { token: string }>;
  '/api/authen/agent/{liffId}/line': Post<{ LINETOKEN: string; unique: string; addorg: true }, { token: string }>;
  '/api/authen/owner/line': Post<{ LINETOKEN: string; unique: string }, { token: string }>;
  '/api/authen/staff/line': Post<{ LINETOKEN: string; unique: string }, { token: string }>;
  '/api/authen/owner/user': Post<{ username: string; password: string; unique: string }, { token: string }>;
  '/api/authen/staff/user': Post<{ username: string; password: string; unique: string }, { token: string }>;
  '/api/authen/admin/user': Post<{ username: string; password: string }, { token: string }>;
  '/api/authen/rechecktoken': Post<{ token: string; liffId: string }, Session>;
  '/api/authen/logout': Post<{ token: string }, Empty>;

  '/api/user/get/salepackage': Post<
    ListBody<{ tag?: string; price_min_satang?: number; price_max_satang?: number; place?: string }>,
    List<Card>
  >;
  '/api/user/salepackage/detail': Post<{ id: string }, PackageDetail>;
  '/api/user/get/tags': Post<ListBody, List<{ id: string; name_th: string; name_en: string }>>;
  '/api/user/get/service_point': Post<ListBody, List<Place>>;
  '/api/user/order/quote': Post<{ lines: Line[] }, Quote>;
  '/api/user/order/confirm': Post<
    { lines: Line[]; hash: string; accepted: string[]; lang: 'th' | 'en' },
    { order: { id: string; number: string; total_satang: number; paid_at: string }; vouchers: Voucher[] }
  >;
  '/api/user/getwallet': Post<Empty, { balance_satang: number }>;
  '/api/user/wallet/movements': Post<{ limit?: number; after?: string }, List<Movement>>;
  '/api/user/wallet/topup': Post<
    { amount_satang: number; method: 'promptpay' | 'card'; card_token?: string; return?: string },
    Topup
  >;
  '/api/user/wallet/topup/get': Post<{ id: string }, Topup>;
  '/api/user/wallet/payment-options': Post<
    Empty,
    { method: 'promptpay' | 'card'; public_key: string; vault_url: string }[]
  >;
  '/api/user/voucher/list': Post<ListBody<{ state: 'ready' | 'used' | 'expired' | 'all' }>, List<Voucher>>;
  '/api/user/voucher/detail': Post<
    { id: string },
    Voucher & {
      issued_at: string;
      order_number: string;
      conditions_th: string;
      conditions_en: string;
      transfer_rule: 'none' | 'times' | 'unlimited';
      transfers_left: number;
      transfer_together: boolean;
      where: Place[];
      uses: Redemption[];
    }
  >;
  '/api/user/voucher/use': Post<{ voucher_id: string; service_point_id: string; items: number }, UseSession>;
  '/api/user/voucher/use/get': Post<{ id: string }, UseSession>;
  '/api/user/voucher/use/cancel': Post<{ id: string }, Empty>;
  '/api/user/voucher/history': Post<ListBody, List<Redemption>>;
  '/api/user/profile/customer': Post<Empty, Profile>;
  '/api/user/profile/save': Post<
    { firstname: string; lastname: string; emailaddress: string; gender: '' | 'male' | 'female' | 'other' },
    Profile
  >;
  '/api/user/get/pdpa': Post<Empty, { data: Consent[] }>;
  '/api/user/get/termsandconditions': Post<Empty, { data: Consent[] }>;
  '/api/user/consent/accept': Post<{ version_ids: string[] }, Empty>;
  '/api/user/link/open': Post<{ code: string }, { package_id: string }>;
}
