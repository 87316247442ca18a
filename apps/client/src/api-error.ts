import type { I18n } from '@lingui/core';
import type { Fault } from './faults.gen.ts';
import { type AnyFault, faultSentence } from './faults.ts';

export interface FieldFault {
  /** Where in the body: `lines[0].quantity`. */
  path: string;
  fault: string;
}

/** A call that was refused or got lost. */
export class ApiError extends Error {
  override name = 'ApiError';
  /** HTTP status as the envelope says it; 0 when no answer came. */
  readonly code: number;
  readonly fault: AnyFault;
  readonly detail: unknown;
  readonly fields: FieldFault[];
  /** The request's id, short enough to be read out on the phone. */
  readonly reference: string | undefined;

  constructor(
    message: string,
    rest: { code: number; fault?: string; detail?: unknown; fields?: FieldFault[]; reference?: string | null },
  ) {
    super(message);
    this.code = rest.code;
    this.fault = (rest.fault ?? 'internal') as AnyFault;
    this.detail = rest.detail;
    this.fields = rest.fields ?? [];
    this.reference = rest.reference?.slice(0, 8).toUpperCase();
  }

  /** Only these two codes mean that the session is over. */
  get sessionExpired() {
    return this.code === 401 || this.code === 402;
  }
}

/** The server has spoken; without an answer nobody knows what it would say, and nobody could sign in either. */
export function wasAnswered(error: unknown) {
  return error instanceof ApiError && error.code > 0;
}

export function isFault(error: unknown, fault: Fault) {
  return error instanceof ApiError && error.fault === fault;
}

/** What a person reads about any error. */
export function errorSentence(i18n: I18n, error: unknown) {
  return faultSentence(i18n, error instanceof ApiError ? error.fault : 'internal');
}
