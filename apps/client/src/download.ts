import { ApiError } from './api-error.ts';
import type { paths } from './schema.gen.ts';
import { audienceOf, session } from './session.ts';

/** A call that answers with a file. */
type FilePath = { [P in keyof paths]: paths[P] extends { get: unknown } ? P : never }[keyof paths];

/** Fetches a file with the audience's token and hands it to the browser under the name that the server gave it. */
export async function download(path: FilePath, id: string) {
  const response = await get(path, id);
  saveFile(await response.blob(), fileName(response.headers.get('Content-Disposition')));
}

/** Fetches a file with the audience's token, to be shown. */
export async function fetchFile(path: FilePath, id: string): Promise<Blob> {
  return (await get(path, id)).blob();
}

async function get(path: FilePath, id: string) {
  const audience = audienceOf(path);
  const token = audience && session.token(audience);
  const response = await fetch(path.replace('{id}', encodeURIComponent(id)), {
    headers: token ? { Authorization: `Bearer ${token}` } : {},
  }).catch(() => {
    throw new ApiError('no connection', { code: 0, fault: 'client.offline' });
  });
  if (!response.ok) {
    const envelope = await response.json().catch(() => ({ message: `HTTP ${response.status}` }));
    throw new ApiError(envelope.message, { ...envelope, code: response.status });
  }
  return response;
}

/** Hands a file to the browser, which keeps it under this name. */
export function saveFile(file: Blob, name: string) {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the file by the next turn.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The name in `attachment; filename=…`, in either of its two spellings. */
function fileName(disposition: string | null) {
  const spelled = /filename\*=(?:UTF-8|utf-8)''([^;]+)/.exec(disposition ?? '')?.[1];
  if (spelled) return decodeURIComponent(spelled);
  return /filename="?([^";]+)"?/.exec(disposition ?? '')?.[1] ?? 'report';
}
