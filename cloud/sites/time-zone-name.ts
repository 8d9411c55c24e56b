import { isTimeZone } from '#contract/time-zone.ts';

// Others mean different things to different people: BST is Bangladesh to the system.
const abbreviations = /^(CET|EET|EST|GB|GMT|HST|MET|MST|NZ|PRC|ROC|ROK|UCT|UTC|WET)$/;

// Isle_of_Man, Dar_es_Salaam, Port-au-Prince; GB-Eire, NZ-CHAT, W-SU, America/Knox_IN; and words that are two.
const small = 'of es au';
const large = 'ACT CHAT GB GMT IN LHI NSW NZ SU UCT US UTC';
const mixed = 'BajaNorte BajaSur ComodRivadavia DeNoronha DumontDUrville EasterIsland McMurdo';
const oddWords = new Map(`${small} ${large} ${mixed}`.split(' ').map((word) => [word.toLowerCase(), word]));

/**
 * The one spelling of an IANA name, however its letters are written; undefined when it is none. An alias stays: the
 * system would call Asia/Kolkata Asia/Calcutta.
 */
export function timeZoneName(text: string): string | undefined {
  if (!/^[A-Z]/i.test(text) || !isTimeZone(text)) return undefined;
  if (/^[A-Z]{2,3}$/i.test(text)) return abbreviations.exec(text.toUpperCase())?.[0];
  if (/^[A-Z]{3}\d[A-Z]{3}$/i.test(text)) return text.toUpperCase(); // EST5EDT
  return text.toLowerCase().replaceAll(/[a-z]+/g, (word) => oddWords.get(word) ?? capitalized(word));
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
