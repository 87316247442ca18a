import type { Detail } from '@wlv/client/call';
import { saveFile } from '@wlv/client/download';

/** Hands a statement's file to the browser. */
export function saveCSV({ name, text }: Detail<'/api/user/wallet/statement/file'>) {
  saveFile(new Blob([text], { type: 'text/csv;charset=utf-8' }), name);
}
