import type { OAuthScope } from '#contract/access.ts';
import { texts } from '../parts/text.ts';

/** Describes what a scope allows an application to do. */
export const scopeWords = texts<OAuthScope>({
  openid: ['See your identity ID', 'Se ditt identitets-id'],
  profile: ['See your name', 'Se ditt namn'],
  offline_access: [
    'Keep access while you are away, until you withdraw it',
    'Behålla åtkomsten när du inte är inloggad, tills du återkallar den',
  ],
  'read:sites': ['See your sites, gateways and devices', 'Se dina anläggningar, gateways och enheter'],
  'read:telemetry': ['See current and past measurements', 'Se aktuella och tidigare mätvärden'],
  'control:ders': ['Control batteries, EV chargers and solar panels', 'Styra batterier, laddboxar och solpaneler'],
});
