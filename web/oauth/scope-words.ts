import type { OAuthScope } from '#contract/access.ts';
import { texts } from '../parts/text.ts';

/** Describes what a scope allows an application to do. */
export const scopeWords = texts<OAuthScope>({
  openid: 'See your identity ID',
  profile: 'See your name',
  offline_access: 'Keep access while you are away, until you withdraw it',
  'read:sites': 'See your sites, gateways and devices',
  'read:telemetry': 'See current and past measurements',
  'control:ders': 'Control batteries, EV chargers and solar panels',
});
