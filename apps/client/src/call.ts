import { infiniteQueryOptions, type MutationFunctionContext, queryOptions } from '@tanstack/react-query';
import { ApiError, type FieldFault } from './api-error.ts';
import { loadFaults } from './faults.ts';
import type { paths } from './schema.gen.ts';
import { type Audience, audienceOf, session } from './session.ts';

export type Path = keyof paths;
/** What a call takes, and the `detail` it answers with. */
export type Body<P extends Path> = paths[P]['post'] extends {
  requestBody: { content: { 'application/json': infer B } };
}
  ? B
  : Record<string, never>;
export type Detail<P extends Path> = paths[P]['post'] extends {
  responses: { 200: { content: { 'application/json': { detail: infer D } } } };
}
  ? D
  : never;
/** One row of a list's answer. */
export type Row<P extends Path> = Detail<P> extends { data: (infer R)[] } ? R : never;

/** Calls that open a session. */
export type SigningPath = {
  [P in Path]: paths[P]['post'] extends { responses: { 200: { content: { 'application/json': { token: string } } } } }
    ? P
    : never;
}[Path];

type ListPath = { [P in Path]: Detail<P> extends { data: unknown[]; next: unknown } ? P : never }[Path];

/** The names that stand in braces in a path. */
type ParamOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamOf<Rest> : never;

interface Options<P extends string = string> {
  signal?: AbortSignal;
  /** Values for `{name}` in the path. */
  params?: Record<ParamOf<P>, string>;
  /** Whose token to send where the path does not say it: signing out, checking a token. */
  as?: Audience;
  /** Has the call take effect once; callOnce gives it. */
  idempotencyKey?: string;
}

interface Envelope {
  result: boolean;
  code: number;
  message: string;
  /** Of a session that the call opened; beside the detail. */
  token?: string;
  detail: unknown;
  fault?: string;
  fields?: FieldFault[];
}

/** Posts to the API with the audience's token and answers `detail`; throws ApiError for everything else. */
export async function call<P extends Path>(path: P, body: Body<P>, options: Options<P> = {}): Promise<Detail<P>> {
  return (await post(path, body, options)).detail as Detail<P>;
}

/** The same for a call that opens a session: its token stands beside the detail. */
export async function callForToken<P extends SigningPath>(path: P, body: Body<P>, options: Options<P> = {}) {
  const { token = '', detail } = await post(path, body, options);
  return { token, detail: detail as Detail<P> };
}

function post<P extends Path>(path: P, body: Body<P>, options: Options<P>) {
  return send(address(path, options.params), JSON.stringify(body), { ...options, type: 'application/json' });
}

/** Sends files as multipart form data. */
export async function upload<P extends Path>(path: P, form: FormData): Promise<Detail<P>> {
  return (await send(path, form, {})).detail as Detail<P>;
}

function address(path: string, params: Record<string, string> = {}) {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

async function send(
  path: string,
  body: BodyInit,
  options: Options & { type?: string; again?: boolean },
): Promise<Envelope> {
  const audience = options.as ?? audienceOf(path);
  const own = audience && session.token(audience);
  const visitor = audience === 'user' && !own;
  const token = visitor ? await session.visitorToken() : own;
  if (audience && !token) {
    session.end(audience);
    await loadFaults().catch(() => undefined);
    throw new ApiError('No token , please login first', { code: 401, fault: 'client.no_token' });
  }

  const headers = new Headers();
  if (options.type) headers.set('Content-Type', options.type);
  if (token) headers.set('Authorization', `Bearer ${token}`);
  if (options.idempotencyKey) headers.set('Idempotency-Key', options.idempotencyKey);

  const response = await fetch(path, { method: 'POST', headers, body, signal: options.signal ?? null }).catch(
    (cause) => {
      if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
      throw new ApiError('no connection', { code: 0, fault: 'client.offline' });
    },
  );
  const envelope = await read(response);
  const over = saysOver(envelope);
  if (envelope.result === true && !over) return envelope;
  if (visitor && token && over && !options.again) {
    session.dropVisitor();
    return send(path, body, { ...options, again: true });
  }
  if (envelope.result === true && over) {
    if (own && session.token(audience) === own) session.end(audience);
    throw new ApiError('Invalid Token', { code: over, fault: 'session.invalid_token' });
  }
  // Without its words a refusal still says that it is one.
  await loadFaults().catch(() => undefined);
  throw new ApiError(envelope.message, { ...envelope, reference: response.headers.get('X-Request-Id') });
}

/** The code that ends the session, where the answer has one: in itself, or inside what it brought with success. */
function saysOver({ result, code, detail }: Envelope) {
  const inside =
    result && typeof detail === 'object' && detail !== null ? (detail as { code?: unknown }).code : undefined;
  return [code, inside].find((one): one is 401 | 402 => one === 401 || one === 402);
}

async function read(response: Response): Promise<Envelope> {
  try {
    return await response.json();
  } catch {
    throw new ApiError(`HTTP ${response.status} without an envelope`, {
      code: response.status,
      fault: 'client.unreadable',
    });
  }
}

/** A read, as options for useQuery: cached under its path and body. `as` sends another audience's token than the path's. */
export function query<P extends Path>(path: P, body: Body<P>, { as }: Pick<Options, 'as'> = {}) {
  return queryOptions({
    queryKey: [path, body] as const,
    queryFn: ({ signal }) => call(path, body, { signal, ...(as ? { as } : {}) }),
    ...(as ? { meta: { audience: as } } : {}),
  });
}

/** A list read page after page, as options for useInfiniteQuery. */
export function pages<P extends ListPath>(path: P, body: Body<P>) {
  return infiniteQueryOptions({
    queryKey: [path, body, 'pages'] as const,
    queryFn: ({ pageParam, signal }) =>
      call(path, (pageParam ? { ...(body as object), after: pageParam } : body) as Body<P>, { signal }),
    initialPageParam: '',
    getNextPageParam: (last) => (last as { next: string | null }).next || undefined,
  });
}

/** A write, as options for useMutation. */
export function mutation<P extends Path>(path: P, options: Pick<Options<P>, 'params'> = {}) {
  return { mutationFn: (body: Body<P>) => call(path, body, options) };
}

/** An onSuccess that reads these calls anew, whatever their bodies were. */
export function invalidates(...stale: Path[]) {
  return (_detail: unknown, _body: unknown, _result: unknown, { client }: MutationFunctionContext) =>
    Promise.all(stale.map((path) => client.invalidateQueries({ queryKey: [path] })));
}
