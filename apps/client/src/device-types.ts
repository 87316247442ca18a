import type { liff as Liff } from '@line/liff';

/** A message as LINE's picker takes it. */
export type LineMessage = Parameters<typeof Liff.shareTargetPicker>[0][number];

/** How something that is sent left the phone; where only a page of LINE was opened, nobody knows whether it did. */
export type Sent = 'shared' | 'copied' | 'opened' | 'cancelled';

/** What a phone can do for us, inside LINE or in a plain browser. */
export interface Device {
  inLine: boolean;
  /** What LINE's kit said when it did not start inside LINE: then this is a plain browser. */
  failed?: unknown;
  /** LINE's proof of who this is; null outside LINE. */
  idToken(): string | null;
  /** LINE's own sign-in, which comes back to this LIFF app's home and goes on at a path of ours; null where our web login does it. */
  signIn: ((returnTo: string) => void) | null;
  /** Sends a text with a link to friends; answers how it went, so that the screen can say it. */
  share(text: string, url: string): Promise<Sent>;
  /** The same by the phone's share sheet, inside LINE too; it copies where there is none. */
  shareSheet(text: string, url: string): Promise<Sent>;
  /**
   * The same in LINE and nowhere else: its picker of friends inside LINE, which sends the message where there is one; its share page in a
   * browser, and the share sheet where that does not open.
   */
  sendInLine(text: string, url: string, message?: LineMessage): Promise<Sent>;
  /** Whether the person is a friend of the shop's official account; null where LINE does not say. */
  friend(): Promise<boolean | null>;
  /** Opens an address of ours in the phone's own browser, where this page is not in one already; null where it is. */
  openOutside: ((url: string) => void) | null;
  /** LINE's own QR reader; null where there is none. */
  scan: (() => Promise<string | null>) | null;
}
