import { Problem, type ProblemCode } from '#contract/problem.ts';
import { language, texts } from './text.ts';

/** A problem that a page itself detects; its message is in the language of the page. */
export class PageProblem extends Problem {}

const t = texts<ProblemCode>({
  invalid_request: 'The request is invalid.',
  unauthenticated: 'Sign in again to continue.',
  challenge_invalid: 'Signing in took too long. Try again.',
  signature_invalid: 'The signature does not match the key.',
  identity_unknown: 'The key is not registered on the platform.',
  forbidden: 'You do not have permission for this.',
  identity_type_reserved: 'Identities of this type can only be created on the server.',
  claim_refused: 'The gateway could not be claimed.',
  claim_expired: 'The signature has expired, or has a time in the future.',
  claim_replayed: 'The signature has already been used.',
  not_found: 'Not found. It may have been removed.',
  method_not_allowed: 'The action is not supported here.',
  request_timeout: 'The request took too long. Try again.',
  conflict: 'This conflicts with the current state. Reload the page.',
  quota_exceeded: 'The limit has been reached.',
  expectation_failed: 'The server does not support what the browser expects.',
  local_token_required: 'The gateway has an owner. Enter its local token.',
  control_unconfirmed: 'Control of the device is not confirmed. Confirm it under Control on the gateway’s own pages.',
  gateway_offline: 'The gateway is not connected to the platform. Check its power and its internet connection.',
  management_refused: 'The gateway refuses to be managed from here. See Platform on the gateway’s own pages.',
  gateway_unanswered: 'The gateway does not answer. It may need a newer version.',
  gone: 'This no longer exists.',
  misdirected: 'The server does not answer at this address.',
  precondition_failed: 'Somebody else has changed this. Reload the page.',
  payload_too_large: 'That is too large to send at once.',
  unsupported_media_type: 'The server expected another content type. Reload the page.',
  unprocessable: 'The values are not allowed.',
  idempotency_key_reused: 'The request has already been sent with other content. Reload the page.',
  rate_limited: 'Too many attempts. Wait a moment and try again.',
  headers_too_large: 'The address or the cookies are too long.',
  internal_error: 'Something went wrong on the server. Its log has the details.',
  device_failed: 'The device did not carry out the request.',
  storage_failed: 'The change could not be saved.',
  not_implemented: 'This is not supported yet.',
  upstream_failed: 'An external service did not answer as it should. Try again later.',
  unavailable: 'The service is not available. Try again in a moment.',
  device_unreachable: 'The device cannot be reached.',
  device_busy: 'The device is busy. Try again in a moment.',
  insufficient_memory: 'The server does not have enough memory. Try a smaller request.',
  http_version_unsupported: 'The server does not support this version of HTTP.',
});

/** Problems whose message from the server adds nothing for a person. */
const isFullyDescribed = (code: ProblemCode): boolean =>
  ['internal_error', 'payload_too_large', 'unsupported_media_type'].includes(code);

/**
 * Describes a problem in the language of the page. The message of the server is in English, and more exact: an English
 * page shows it alone, any other as the `detail`.
 */
export function describeProblem(problem: Problem): { says: string; detail?: string } {
  const { code, message } = problem;
  if (problem instanceof PageProblem) return { says: message };
  if (isFullyDescribed(code)) return { says: t(code) };
  return language.value === 'en' ? { says: message } : { says: t(code), detail: message };
}
