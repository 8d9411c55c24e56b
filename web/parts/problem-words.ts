import { Problem, type ProblemCode } from '#contract/problem.ts';
import type { Language } from './text.ts';

/** A problem that a page itself detects; its message is in the language of the page. */
export class PageProblem extends Problem {}

type Words = Record<ProblemCode, string>;

const en: Words = {
  invalid_request: 'The request is invalid.',
  unauthenticated: 'Sign in again to continue.',
  challenge_invalid: 'The sign-in took too long. Try again.',
  signature_invalid: 'The signature does not match the key.',
  identity_unknown: 'This key is not registered on the platform.',
  forbidden: 'You do not have permission to do this.',
  identity_type_reserved: 'Identities of this type can only be created on the server.',
  claim_refused: 'The gateway could not be claimed.',
  claim_expired: 'The signature has expired, or its time is in the future.',
  claim_replayed: 'The signature has already been used.',
  not_found: 'Not found. It may have been deleted.',
  method_not_allowed: 'This action is not supported here.',
  request_timeout: 'The request timed out. Try again.',
  conflict: 'This conflicts with the current state. Reload the page.',
  quota_exceeded: 'The limit has been reached.',
  expectation_failed: 'The server does not support what the browser expects.',
  local_token_required: 'This gateway has an owner. Enter its local token.',
  control_unconfirmed: 'Control of this device is not confirmed. Confirm it under Control on the gateway’s own pages.',
  gone: 'This is no longer available.',
  misdirected: 'The server does not serve this address.',
  precondition_failed: 'Someone else has changed this. Reload the page.',
  payload_too_large: 'That is too large to send at once.',
  unsupported_media_type: 'The server expected another content type. Reload the page.',
  unprocessable: 'The values are not allowed.',
  idempotency_key_reused: 'This request was already sent with other content. Reload the page.',
  rate_limited: 'Too many requests. Wait a moment, then try again.',
  headers_too_large: 'The address or the cookies are too long.',
  internal_error: 'Something went wrong on the server. Its log has the details.',
  device_failed: 'The device did not carry out the request.',
  storage_failed: 'The change could not be saved.',
  not_implemented: 'This is not supported yet.',
  upstream_failed: 'An external service failed. Try again later.',
  unavailable: 'The service is unavailable. Try again in a moment.',
  device_unreachable: 'The device cannot be reached.',
  device_busy: 'The device is busy. Try again in a moment.',
  insufficient_memory: 'The server is out of memory. Try a smaller request.',
  http_version_unsupported: 'The server does not support this version of HTTP.',
};

const sv: Words = {
  invalid_request: 'Begäran är ogiltig.',
  unauthenticated: 'Logga in igen för att fortsätta.',
  challenge_invalid: 'Inloggningen tog för lång tid. Försök igen.',
  signature_invalid: 'Signaturen stämmer inte med nyckeln.',
  identity_unknown: 'Nyckeln är inte registrerad på plattformen.',
  forbidden: 'Du saknar behörighet för detta.',
  identity_type_reserved: 'Identiteter av den typen kan bara skapas på servern.',
  claim_refused: 'Det gick inte att ta över gatewayen.',
  claim_expired: 'Signaturen har gått ut, eller har en tid i framtiden.',
  claim_replayed: 'Signaturen har redan använts.',
  not_found: 'Hittades inte. Det kan ha tagits bort.',
  method_not_allowed: 'Åtgärden stöds inte här.',
  request_timeout: 'Begäran tog för lång tid. Försök igen.',
  conflict: 'Det krockar med det aktuella läget. Läs in sidan igen.',
  quota_exceeded: 'Gränsen är nådd.',
  expectation_failed: 'Servern stöder inte det som webbläsaren förväntar sig.',
  local_token_required: 'Gatewayen har en ägare. Ange dess lokala token.',
  control_unconfirmed: 'Styrningen av enheten är inte bekräftad. Bekräfta den under Styrning på gatewayens egna sidor.',
  gone: 'Det här finns inte längre.',
  misdirected: 'Servern svarar inte på den här adressen.',
  precondition_failed: 'Någon annan har ändrat detta. Läs in sidan igen.',
  payload_too_large: 'Det är för mycket för att skickas på en gång.',
  unsupported_media_type: 'Servern väntade sig en annan typ av innehåll. Läs in sidan igen.',
  unprocessable: 'Värdena är inte tillåtna.',
  idempotency_key_reused: 'Begäran har redan skickats med annat innehåll. Läs in sidan igen.',
  rate_limited: 'För många försök. Vänta en stund och försök igen.',
  headers_too_large: 'Adressen eller kakorna är för långa.',
  internal_error: 'Något gick fel på servern. Orsaken finns i serverns logg.',
  device_failed: 'Enheten utförde inte begäran.',
  storage_failed: 'Ändringen kunde inte sparas.',
  not_implemented: 'Detta stöds inte ännu.',
  upstream_failed: 'En extern tjänst svarade inte som den skulle. Försök igen senare.',
  unavailable: 'Tjänsten är inte tillgänglig. Försök igen om en stund.',
  device_unreachable: 'Enheten går inte att nå.',
  device_busy: 'Enheten är upptagen. Försök igen om ett ögonblick.',
  insufficient_memory: 'Serverns minne räcker inte. Försök med en mindre begäran.',
  http_version_unsupported: 'Servern stöder inte den här versionen av HTTP.',
};

export const problemWords: Record<Language, Words> = { en, sv };

/** Problems whose message from the server adds nothing for a person. */
const withoutDetail: readonly ProblemCode[] = ['internal_error', 'payload_too_large', 'unsupported_media_type'];

/** Describes a problem in the language of the page; `detail` is the message of the server, in English. */
export function describeProblem(problem: Problem, language: Language): { says: string; detail?: string } {
  const { code, message } = problem;
  if (problem instanceof PageProblem) return { says: message };
  const says = problemWords[language][code];
  if (withoutDetail.includes(code)) return { says };
  return language === 'en' ? { says: message } : { says, detail: message };
}
