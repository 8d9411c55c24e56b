import type { OAuthScope } from '#contract/access.ts';
import { texts } from '../parts/text.ts';

const t = texts({
  en: {
    openid: 'See your identity ID',
    profile: 'See your name',
    offline_access: 'Keep access while you are away, until you withdraw it',
    'read:sites': 'See your sites, gateways and devices',
    'read:telemetry': 'See current and past measurements',
    'control:ders': 'Control batteries, EV chargers and solar panels',
  },
  sv: {
    openid: 'Se ditt identitets-id',
    profile: 'Se ditt namn',
    offline_access: 'Behålla åtkomsten när du inte är inloggad, tills du återkallar den',
    'read:sites': 'Se dina anläggningar, gateways och enheter',
    'read:telemetry': 'Se aktuella och tidigare mätvärden',
    'control:ders': 'Styra batterier, laddboxar och solpaneler',
  },
});

/** Describes what a scope allows an application to do. */
export const scopeInWords = (scope: OAuthScope): string => t(scope);
