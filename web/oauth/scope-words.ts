import type { OAuthScope } from '#contract/access.ts';
import { texts } from '../parts/text.ts';

const t = texts({
  en: {
    openid: 'Know who you are: the id of your identity',
    profile: 'Know your name',
    offline_access: 'Go on while you are away, until you withdraw it',
    'read:sites': 'See your sites, gateways and devices',
    'read:telemetry': 'See what they measure, now and before',
    'control:ders': 'Control batteries, chargers and solar power',
  },
  sv: {
    openid: 'Veta vem du är: din identitets id',
    profile: 'Veta vad du heter',
    offline_access: 'Fortsätta när du inte är här, tills du tar tillbaka det',
    'read:sites': 'Se dina anläggningar, gateways och enheter',
    'read:telemetry': 'Se vad de mäter, nu och tidigare',
    'control:ders': 'Styra batterier, laddare och solel',
  },
});

/** What a scope lets an application do, for the person who allows it. */
export const scopeInWords = (scope: OAuthScope): string => t(scope);
