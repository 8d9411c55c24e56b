import { Problem, type ProblemCode } from '#contract/problem.ts';
import type { Language } from './text.ts';

/** What a page itself has to say, in the language of the page already. */
export class PageProblem extends Problem {}

type Words = Record<ProblemCode, string>;

const en: Words = {
  invalid_request: 'Something in the request is not right.',
  unauthenticated: 'This needs a sign-in that is still good.',
  challenge_invalid: 'The sign-in took too long. Try again.',
  signature_invalid: 'The signature does not match the key.',
  identity_unknown: 'This platform does not know the key.',
  forbidden: 'You may not do this.',
  identity_type_reserved: 'An identity of this type is made on the server.',
  claim_refused: 'The claim is refused.',
  claim_expired: 'The signature is too old, or from the future.',
  claim_replayed: 'The signature was used before.',
  not_found: 'That is not there, or no longer.',
  method_not_allowed: 'That cannot be done here.',
  request_timeout: 'The request took too long to arrive. Try again.',
  conflict: 'That does not go with how things are now.',
  quota_exceeded: 'The limit for this is reached.',
  expectation_failed: 'The server does not support what the browser expects.',
  local_token_required: 'This gateway is claimed: this needs its local token.',
  control_unconfirmed: 'Control of this device is not confirmed. Confirm it on the page Control of the gateway.',
  gone: 'This is no longer available.',
  misdirected: 'The address of this page is not one that is answered to.',
  precondition_failed: 'Somebody else has changed this in the meantime. Load the page again.',
  payload_too_large: 'That is more than is taken at once.',
  unsupported_media_type: 'The server expected something of another kind. Load the page again.',
  unprocessable: 'That is against a rule.',
  idempotency_key_reused: 'This was sent before with other contents. Load the page again.',
  rate_limited: 'That was tried too often just now. Wait a little, then try again.',
  headers_too_large: 'The address, or what the browser keeps for it, is too long.',
  internal_error: 'Something went wrong on the server; its log tells why.',
  device_failed: 'The device did not do it.',
  storage_failed: 'The change could not be kept.',
  not_implemented: 'This cannot be done yet.',
  upstream_failed: 'Another service that is needed for this failed.',
  unavailable: 'That cannot be reached just now. Try again in a while.',
  device_unreachable: 'The device cannot be reached.',
  device_busy: 'The device is busy. Try again in a moment.',
  insufficient_memory: 'There is not enough memory for this.',
  http_version_unsupported: 'The server does not support this version of HTTP.',
};

const sv: Words = {
  invalid_request: 'Något i begäran stämmer inte.',
  unauthenticated: 'Det här kräver en inloggning som fortfarande gäller.',
  challenge_invalid: 'Inloggningen tog för lång tid. Försök igen.',
  signature_invalid: 'Underskriften stämmer inte med nyckeln.',
  identity_unknown: 'Plattformen känner inte till nyckeln.',
  forbidden: 'Du får inte göra det här.',
  identity_type_reserved: 'En identitet av det slaget skapas på servern.',
  claim_refused: 'Övertagandet avvisades.',
  claim_expired: 'Underskriften är för gammal, eller från framtiden.',
  claim_replayed: 'Underskriften har redan använts.',
  not_found: 'Det finns inte, eller finns inte längre.',
  method_not_allowed: 'Det går inte att göra här.',
  request_timeout: 'Begäran tog för lång tid på sig. Försök igen.',
  conflict: 'Det går inte ihop med hur det är nu.',
  quota_exceeded: 'Gränsen för det här är nådd.',
  expectation_failed: 'Servern stöder inte det som webbläsaren förväntar sig.',
  local_token_required: 'Gatewayen har en ägare: det här kräver dess lokala token.',
  control_unconfirmed: 'Styrningen av enheten är inte bekräftad. Bekräfta den på gatewayens sida Styrning.',
  gone: 'Det här finns inte längre.',
  misdirected: 'Sidans adress är ingen som besvaras.',
  precondition_failed: 'Någon annan har ändrat det här under tiden. Läs in sidan igen.',
  payload_too_large: 'Det är mer än vad som tas emot på en gång.',
  unsupported_media_type: 'Servern väntade sig något av ett annat slag. Läs in sidan igen.',
  unprocessable: 'Det strider mot en regel.',
  idempotency_key_reused: 'Det här har skickats förut med annat innehåll. Läs in sidan igen.',
  rate_limited: 'Det har prövats för ofta den senaste stunden. Vänta lite och försök igen.',
  headers_too_large: 'Adressen, eller det som webbläsaren sparar för den, är för långt.',
  internal_error: 'Något gick fel på servern; dess logg berättar varför.',
  device_failed: 'Enheten gjorde det inte.',
  storage_failed: 'Ändringen kunde inte sparas.',
  not_implemented: 'Det här går inte att göra ännu.',
  upstream_failed: 'En annan tjänst som behövs för det här svarade fel.',
  unavailable: 'Det går inte att nå just nu. Försök igen om en stund.',
  device_unreachable: 'Enheten går inte att nå.',
  device_busy: 'Enheten är upptagen. Försök igen om ett ögonblick.',
  insufficient_memory: 'Det finns inte tillräckligt med minne för det här.',
  http_version_unsupported: 'Servern stöder inte den här versionen av HTTP.',
};

export const problemWords: Record<Language, Words> = { en, sv };

/** Of these the server's sentence tells a person nothing more. */
const sayAll: readonly ProblemCode[] = ['internal_error', 'payload_too_large', 'unsupported_media_type'];

/** What a failure says, in the language of the page; `detail` is what the server adds to it, in English. */
export function problemLines(problem: Problem, language: Language): { says: string; detail?: string } {
  const { code, message } = problem;
  if (problem instanceof PageProblem) return { says: message };
  const says = problemWords[language][code];
  if (sayAll.includes(code)) return { says };
  return language === 'en' ? { says: message } : { says, detail: message };
}
