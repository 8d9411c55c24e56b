import { Problem, type ProblemCode } from '#contract/problem.ts';
import type { Language } from './text.ts';

/** A problem that a page itself detects; its message is in the language of the page. */
export class PageProblem extends Problem {}

/** Problems whose message from the server adds nothing for a person. The other English messages are shown as they are. */
const english: Partial<Record<ProblemCode, string>> = {
  internal_error: 'Something went wrong on the server. Its log has the details.',
  payload_too_large: 'That is too large to send at once.',
  unsupported_media_type: 'The server expected another content type. Reload the page.',
};

export const swedish: Record<ProblemCode, string> = {
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

/** Describes a problem in the language of the page; `detail` is the message of the server, in English. */
export function describeProblem(problem: Problem, language: Language): { says: string; detail?: string } {
  const { code, message } = problem;
  if (problem instanceof PageProblem) return { says: message };
  if (language === 'en') return { says: english[code] ?? message };
  return { says: swedish[code], ...(!english[code] && { detail: message }) };
}
