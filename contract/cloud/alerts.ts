import { holder, may, signedIn } from '../access.ts';
import { routesOf } from '../route.ts';
import {
  IntegerIn,
  Name,
  Nullable,
  NumberIn,
  OneOf,
  optional,
  page,
  type Static,
  Text,
  Timestamp,
  Titled,
  Type,
} from '../schema.ts';

const tag = 'Alerts';
const readable = routesOf({ tag, access: may('read', 'site', 'params.site_id') });
const managed = routesOf({ tag, access: may('manage', 'site', 'params.site_id') }, readable.all);
const personal = routesOf({ tag, access: holder }, readable.all);

export const alertLanguages = ['en', 'sv'] as const;
export type AlertLanguage = (typeof alertLanguages)[number];
const Language = OneOf(alertLanguages, { description: 'of the messages' });

const enabled = Type.Boolean({ description: 'whether the rule sends alerts' });
const minutes = IntegerIn(2, 1440, 'of silence before the alert');
const price = NumberIn(-100, 1000, 'per kWh, all included, in the currency of the price area');

const rules = {
  gateway_silent: Type.Object({ enabled, minutes }),
  device_silent: Type.Object({ enabled, minutes }),
  near_fuse: Type.Object({ enabled, percent: IntegerIn(10, 150, 'of the main fuse, on any phase') }),
  new_peak: Type.Object({ enabled }),
  price_below: Type.Object({ enabled, price }),
  price_above: Type.Object({ enabled, price }),
  negative_price: Type.Object({ enabled }),
  battery_below: Type.Object({ enabled, percent: IntegerIn(1, 99, 'state of charge') }),
  solar_low: Type.Object({ enabled, percent: IntegerIn(1, 100, 'of the weakest three days of the last four weeks') }),
  command_failed: Type.Object({ enabled }),
  update_available: Type.Object({ enabled }),
};

export type AlertRules = { [Rule in keyof typeof rules]: Static<(typeof rules)[Rule]> };
export type AlertRule = keyof AlertRules;

/** The rules of a site until they are changed. */
export const defaultAlertRules: AlertRules = {
  gateway_silent: { enabled: true, minutes: 2 },
  device_silent: { enabled: true, minutes: 15 },
  near_fuse: { enabled: true, percent: 90 },
  new_peak: { enabled: true },
  price_below: { enabled: false, price: 0.5 },
  price_above: { enabled: false, price: 3 },
  negative_price: { enabled: false },
  battery_below: { enabled: false, percent: 10 },
  solar_low: { enabled: true, percent: 50 },
  command_failed: { enabled: true },
  update_available: { enabled: true },
};

export const alertRuleNames = Object.keys(defaultAlertRules) as AlertRule[];

/** The rules whose alerts a person can receive in quiet hours. */
export const urgentRules: readonly AlertRule[] = ['near_fuse', 'gateway_silent', 'new_peak'];

export const SiteAlertRules = Titled('AlertRules', { site_id: Type.String(), ...rules });
export type SiteAlertRules = Static<typeof SiteAlertRules>;

export const getAlertRules = readable.get('/sites/{site_id}/alert-rules', 'Get the alert rules of a site', {
  description: 'docs/alerts.md states the exact condition of each rule.',
  replies: { 200: SiteAlertRules },
  conditional: true,
});

export const updateAlertRules = managed.put('/sites/{site_id}/alert-rules', 'Change the alert rules of a site', {
  description: 'Rules that are left out stay as they are.',
  resource: getAlertRules,
  body: Type.Object(optional(rules), { minProperties: 1 }),
  replies: { 200: SiteAlertRules },
});

const deliveries = Type.Object({
  waiting: Type.Integer({ description: 'will be sent, or sent again after a failure' }),
  sent: Type.Integer(),
  failed: Type.Integer({ description: 'given up after 24 hours' }),
  skipped: Type.Integer({ description: 'over before quiet hours ended, or the receiver no longer had access' }),
});

export const Alert = Titled('Alert', {
  id: Type.String(),
  rule: OneOf(alertRuleNames),
  title: Type.String(),
  body: Type.String(),
  at: Timestamp,
  ended_at: Nullable(Type.String({ format: 'date-time', description: 'null while the state lasts' })),
  deliveries,
});
export type Alert = Static<typeof Alert>;

/** Days for which alerts stay in the history. */
export const alertDays = 90;

export const listAlerts = readable.get('/sites/{site_id}/alerts', 'List the alerts of a site, newest first', {
  description: `Alerts of the last ${alertDays} days. Deliveries are counted over all receivers; an all-clear counts too.`,
  query: Type.Object({ ...page, ...optional({ language: Language }) }),
  replies: { 200: Type.Array(Alert) },
  paged: true,
});

const time = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'HH:MM in the time zone of the site' });

const QuietHours = Type.Object(
  {
    from: time,
    to: time,
    except_urgent: Type.Boolean({ description: `whether ${urgentRules.join(', ')} are sent all the same` }),
  },
  { description: 'alerts wait until they end; those that are over by then are not sent' },
);
export type QuietHours = Static<typeof QuietHours>;

export const AlertFollowing = Titled('AlertFollowing', {
  site_id: Type.String(),
  follows: Type.Boolean({ description: 'whether the channels of the caller receive the alerts of the site' }),
  ...optional({ quiet_hours: QuietHours }),
});
export type AlertFollowing = Static<typeof AlertFollowing>;

export const getAlertFollowing = readable.get('/sites/{site_id}/alert-following', 'Get whether you follow a site', {
  replies: { 200: AlertFollowing },
  conditional: true,
});

export const updateAlertFollowing = readable.put('/sites/{site_id}/alert-following', 'Follow the alerts of a site', {
  description: 'Or stop following them. Your browsers and e-mail addresses receive the alerts of the sites you follow.',
  resource: getAlertFollowing,
  body: Type.Object({ follows: Type.Boolean(), quiet_hours: Type.Optional(QuietHours) }),
  replies: { 200: AlertFollowing },
});

const Url = Type.String({ minLength: 1, maxLength: 1024, pattern: '^[\\x21-\\x7e]+$' });

export const hookKinds = ['webhook', 'ntfy'] as const;

const hook = {
  id: Type.String(),
  kind: OneOf(hookKinds),
  name: Type.String(),
  url: Type.String({ description: 'without its path if it may contain a secret' }),
  language: Language,
  created_at: Timestamp,
};

export const AlertHook = Titled('AlertHook', hook);
export type AlertHook = Static<typeof AlertHook>;

export const NewAlertHook = Titled('NewAlertHook', {
  ...hook,
  secret: Type.Optional(Type.String({ description: 'of a webhook: signs its messages; shown only once' })),
});

export const listAlertHooks = managed.get('/sites/{site_id}/alert-hooks', 'List the webhooks and topics of a site', {
  replies: { 200: Type.Array(AlertHook) },
});

export const createAlertHook = managed.post('/sites/{site_id}/alert-hooks', 'Send the alerts of a site to an address', {
  description:
    'A webhook receives signed JSON; docs/alerts.md shows how to verify it. For ntfy, url is that of a topic, or the name of a topic ' +
    'on the server of the operator (NTFY_URL). Addresses in private networks are refused unless the operator allows them.',
  body: Type.Object({
    kind: OneOf(hookKinds),
    url: Url,
    ...optional({
      name: Name,
      language: Language,
      access_token: Type.String({ minLength: 1, maxLength: 256, pattern: '^[\\x21-\\x7e]+$', description: 'for ntfy' }),
    }),
  }),
  replies: { 201: NewAlertHook },
  problems: ['unprocessable', 'quota_exceeded'],
  budget: 'alerts',
  creates: true,
});

const hookPath = '/sites/{site_id}/alert-hooks/{hook_id}';

export const deleteAlertHook = managed.delete(hookPath, 'Stop sending alerts to an address', {
  replies: { 204: null },
});

const Tested = Titled('AlertTest', {
  delivered: Type.Boolean(),
  reason: Type.Optional(Type.String({ description: 'why the message was not delivered' })),
});

// Sends before it answers, so it does not run in a transaction.
const testing = { replies: { 200: Tested }, budget: 'alerts', readOnly: true } as const;

export const testAlertHook = managed.post(`${hookPath}/test`, 'Send a test to an address', testing);

export const AlertChannel = Titled('AlertChannel', {
  id: Type.String(),
  kind: OneOf(['push', 'email']),
  name: Type.String({ description: 'the address, or the name of the browser' }),
  language: Language,
  verified: Type.Boolean({ description: 'an e-mail address receives alerts once its code was entered' }),
  created_at: Timestamp,
  endpoint_hash: Type.Optional(
    Type.String({ description: 'of push: SHA-256 of the endpoint, base64url; a browser finds its own channel by it' }),
  ),
});
export type AlertChannel = Static<typeof AlertChannel>;

export const getAlertOptions = personal.get('/alert-options', 'Get the channels that this platform offers', {
  access: signedIn,
  replies: {
    200: Titled('AlertOptions', {
      push_public_key: Type.String({ description: 'the applicationServerKey of push subscriptions, base64url' }),
      email: Type.Boolean({ description: 'whether the platform can send e-mail' }),
      ntfy_server: Nullable(Type.String({ description: 'the server of topics that are given by name' })),
    }),
  },
});

export const listAlertChannels = personal.get('/alert-channels', 'List your browsers and e-mail addresses', {
  replies: { 200: Type.Array(AlertChannel) },
});

const key = (length: number) =>
  Type.String({ pattern: `^[A-Za-z0-9_-]{${length}}=*$`, description: `${length} characters of base64url` });

export const createAlertChannel = personal.post('/alert-channels', 'Receive alerts in a browser or by e-mail', {
  description:
    'Give either push, the subscription of the browser, or email. Test the channel next, which sends an e-mail address its code. ' +
    'The same browser or address again replaces the earlier one.',
  body: Type.Object({
    ...optional({
      push: Type.Object({
        endpoint: Url,
        keys: Type.Object({ p256dh: key(87), auth: key(22) }),
      }),
      email: Type.String({
        maxLength: 254,
        description: 'an e-mail address',
        pattern: '^[^\\s@<>,;:"()\\[\\]\\p{Cc}]{1,64}@[^\\s@<>,;:"()\\[\\]\\p{Cc}]+\\.[^\\s@<>,;:"()\\[\\]\\p{Cc}]+$',
      }),
      name: Name,
    }),
    language: Language,
  }),
  replies: { 201: AlertChannel },
  problems: ['unprocessable', 'quota_exceeded'],
  budget: 'alerts',
  creates: true,
});

export const verifyAlertChannel = personal.post('/alert-channels/{channel_id}/verify', 'Confirm an e-mail address', {
  body: Type.Object({ code: Text(16, 'the six digits in the message') }),
  replies: { 200: AlertChannel },
  problems: ['not_found', 'gone', 'unprocessable'],
  budget: 'alerts',
  readOnly: true, // counts wrong codes although the request fails
});

export const deleteAlertChannel = personal.delete('/alert-channels/{channel_id}', 'Remove a browser or address', {
  replies: { 204: null },
  problems: ['not_found'],
});

export const testAlertChannel = personal.post('/alert-channels/{channel_id}/test', 'Send a test to a channel', {
  description: 'An e-mail address that is not confirmed receives its code instead: six digits, valid for 15 minutes.',
  ...testing,
  problems: ['not_found', 'unavailable', 'rate_limited'],
});

export const alertRoutes = readable.all;
