import type { Ohmstead } from '#contract/client/connect.ts';
import * as contract from '#contract/cloud/alerts.ts';
import { Problem } from '#contract/problem.ts';
import { UsageError } from '../line/command.ts';
import { defaultedNumber, numberOption } from '../line/quantity.ts';
import { signedIn } from '../sign-in/session.ts';
import { findSite, siteOption } from '../sites/find-site.ts';
import { requireConfirmation, yesOption } from '../terminal/output.ts';

const rules = signedIn('alerts rules', {
  summary: 'Show which alerts a site sends, and their thresholds',
  options: { site: siteOption },
  examples: ['alerts rules', 'alerts rules --site "My house" --json'],
  async run({ api, options }) {
    const { id: site_id } = await findSite(api, options.site);
    const found = await api.call(contract.getAlertRules, { params: { site_id } });
    return {
      items: contract.alertRuleNames.map((rule) => rowOf(rule, found[rule])),
      fields: ['rule', 'state', 'threshold'],
    };
  },
});

type RuleSetting = { enabled: boolean; minutes?: number; percent?: number; price?: number };

const units = { minutes: ' min', percent: ' %', price: ' per kWh' } as const;
type Threshold = keyof typeof units;
const thresholds = Object.keys(units) as Threshold[];

function rowOf(rule: contract.AlertRule, { enabled, ...values }: RuleSetting) {
  const [shown] = thresholds.flatMap((name) => (values[name] === undefined ? [] : [`${values[name]}${units[name]}`]));
  return { rule, state: enabled ? 'on' : 'off', ...(shown !== undefined && { threshold: shown }), ...values };
}

const set = signedIn('alerts set', {
  summary: 'Switch a rule of a site on or off, or change its threshold',
  arguments: [
    { name: 'rule', oneOf: contract.alertRuleNames, help: 'see docs/alerts.md' },
    { name: 'state', oneOf: ['on', 'off'], help: 'whether the rule sends alerts' },
  ],
  options: {
    site: siteOption,
    minutes: numberOption('NUMBER', 'of silence, for gateway_silent and device_silent', { isWhole: true }),
    percent: numberOption('NUMBER', 'for near_fuse, battery_below and solar_low', { isWhole: true }),
    price: numberOption('NUMBER', 'per kWh, for price_below and price_above'),
  },
  examples: ['alerts set price_above on --price 2.5', 'alerts set device_silent off --site "My house"'],
  async run({ api, arguments: { rule, state }, options }) {
    const { id: site_id, name } = await findSite(api, options.site);
    const params = { site_id };
    const known: RuleSetting = (await api.call(contract.getAlertRules, { params }))[rule];
    const given = thresholds.filter((threshold) => options[threshold] !== undefined);
    for (const threshold of given) {
      if (!(threshold in known)) throw new UsageError(`${rule} has no threshold --${threshold}.`);
    }
    const changes = Object.fromEntries(given.map((threshold) => [threshold, options[threshold]]));
    const body = { [rule]: { ...known, ...changes, enabled: state === 'on' } };
    const changed = (await api.call(contract.updateAlertRules, { params, body }))[rule];
    const row = rowOf(rule, changed);
    return { result: row, text: `${rule} of ${name} is ${[row.state, row.threshold].filter(Boolean).join(', ')}.` };
  },
});

const follow = signedIn('alerts follow', {
  summary: 'Receive the alerts of a site in your browsers and by e-mail',
  options: {
    site: siteOption,
    quiet: {
      value: 'FROM-TO',
      help: 'quiet hours in the time zone of the site, such as 22:00-07:00; off removes them',
    },
    urgent: { help: `in quiet hours still send ${contract.urgentRules.join(', ')}` },
  },
  examples: ['alerts follow', 'alerts follow --quiet 22:00-07:00 --urgent', 'alerts follow --quiet off'],
  async run({ api, options }) {
    const { id: site_id, name } = await findSite(api, options.site);
    const params = { site_id };
    const known = (await api.call(contract.getAlertFollowing, { params })).quiet_hours;
    const quiet_hours = quietHours(options, known);
    const body = { follows: true, ...(quiet_hours && { quiet_hours }) };
    const following = await api.call(contract.updateAlertFollowing, { params, body });
    const { from, to, except_urgent } = following.quiet_hours ?? {};
    const quiet = from
      ? `Quiet hours: ${from} to ${to}${except_urgent ? ', except urgent alerts' : ''}.`
      : 'No quiet hours.';
    const isReceived = (await api.call(contract.listAlertChannels)).length > 0;
    const text = [
      `You follow the alerts of ${name}. ${quiet}`,
      ...(isReceived
        ? []
        : ['You have no browser or address yet that receives them; add one with: ohmstead alerts add email <address>']),
    ];
    return { result: following, text };
  },
});

/** Returns the quiet hours to store; the known ones if the options do not name any. */
function quietHours(
  { quiet, urgent }: { quiet: string | undefined; urgent: boolean },
  known: contract.QuietHours | undefined,
): contract.QuietHours | undefined {
  if (quiet === 'off') return undefined;
  if (quiet === undefined) {
    if (urgent && !known) throw new UsageError('--urgent needs quiet hours; give them with --quiet.');
    return known && { ...known, except_urgent: urgent || known.except_urgent };
  }
  const { from, to } = /^(?<from>\d\d:\d\d)-(?<to>\d\d:\d\d)$/.exec(quiet)?.groups ?? {};
  if (!from || !to) throw new UsageError('--quiet must be two times such as 22:00-07:00, or off.');
  return { from, to, except_urgent: urgent };
}

const unfollow = signedIn('alerts unfollow', {
  summary: 'Stop receiving the alerts of a site',
  options: { site: siteOption },
  examples: ['alerts unfollow', 'alerts unfollow --site "My house"'],
  async run({ api, options }) {
    const { id: site_id, name } = await findSite(api, options.site);
    const following = await api.call(contract.updateAlertFollowing, { params: { site_id }, body: { follows: false } });
    return { result: following, text: `You no longer follow the alerts of ${name}.` };
  },
});

const channels = signedIn('alerts channels', {
  summary: 'List your browsers and e-mail addresses, and the webhooks and ntfy topics of a site',
  options: { site: siteOption },
  examples: ['alerts channels', 'alerts channels --site "My house" --json'],
  run: async ({ api, options }) => ({
    items: await listReceivers(api, (await findSite(api, options.site)).id),
    fields: ['id', 'kind', 'name', 'url', 'language', 'verified'],
  }),
});

type Receiver = contract.AlertChannel | contract.AlertHook;

/** Lists the channels of the caller, and those of the site if the caller may manage it. */
async function listReceivers(api: Ohmstead, site_id: string): Promise<Receiver[]> {
  const own = await api.call(contract.listAlertChannels);
  const hooks = await api.call(contract.listAlertHooks, { params: { site_id } }).catch((problem: unknown) => {
    if (problem instanceof Problem && problem.code === 'forbidden') return [];
    throw problem;
  });
  return [...own, ...hooks];
}

const add = signedIn('alerts add', {
  summary: 'Send alerts to an e-mail address, a webhook or an ntfy topic',
  arguments: [
    {
      name: 'kind',
      oneOf: ['email', ...contract.hookKinds],
      help: 'email: for you; webhook, ntfy: for a site that you manage',
    },
    { name: 'address', help: 'e-mail address, URL of the webhook, or URL or name of the topic' },
  ],
  options: {
    site: siteOption,
    name: { value: 'TEXT', help: 'shown in the list' },
    language: {
      value: 'LANGUAGE',
      oneOf: contract.alertLanguages,
      help: 'of the messages. Default: en',
      default: 'en',
    },
    'access-token': { value: 'TOKEN', help: 'for an ntfy topic that needs one' },
  },
  fields: { access_token: 'access-token', email: 'address', url: 'address' },
  examples: [
    'alerts add email ada@example.org',
    'alerts add webhook https://example.org/hook --name "Home automation"',
    'alerts add ntfy my-house --language sv',
  ],
  async run({ api, arguments: { kind, address }, options }) {
    const { language, 'access-token': access_token } = options;
    const name = options.name !== undefined && { name: options.name };
    if (kind === 'email') {
      if (access_token !== undefined) throw new UsageError('--access-token is for ntfy.');
      const channel = await api.call(contract.createAlertChannel, { body: { email: address, language, ...name } });
      const { delivered, reason } = await api.call(contract.testAlertChannel, { params: { channel_id: channel.id } });
      const next = `ohmstead alerts confirm ${channel.id} <code>`;
      const text = delivered ? `A code was sent to ${address}. Enter it with: ${next}` : notDelivered(reason);
      return { result: channel, text };
    }
    const { id: site_id, name: site } = await findSite(api, options.site);
    const body = { kind, url: address, language, ...name, ...(access_token !== undefined && { access_token }) };
    const hook = await api.call(contract.createAlertHook, { params: { site_id }, body });
    const secret = hook.secret ? [`Secret that signs its messages, shown only now: ${hook.secret}`] : [];
    return { result: hook, text: [`Alerts of ${site} are sent to ${hook.name} (${hook.id}).`, ...secret] };
  },
});

const receiverArgument = { name: 'channel id', help: 'see ohmstead alerts channels' } as const;

const confirm = signedIn('alerts confirm', {
  summary: 'Confirm an e-mail address with the code that was sent to it',
  arguments: [receiverArgument, { name: 'code', help: 'the six digits in the message' }],
  examples: ['alerts confirm chn-0198f0a2-7c3e-7d10-9a52-5d1f0b6c2e11 123456'],
  async run({ api, arguments: { 'channel id': channel_id, code } }) {
    const channel = await api.call(contract.verifyAlertChannel, { params: { channel_id }, body: { code } });
    return { result: channel, text: `${channel.name} receives the alerts of the sites that you follow.` };
  },
});

/** Finds a receiver by its id; `site_id` is set if it belongs to the site. */
async function findReceiver(api: Ohmstead, site: string | undefined, id: string) {
  const own = (await api.call(contract.listAlertChannels)).find((channel) => channel.id === id);
  if (own) return { receiver: own };
  const { id: site_id } = await findSite(api, site);
  const receiver = (await listReceivers(api, site_id)).find((each) => each.id === id);
  if (receiver) return { receiver, site_id };
  throw new Problem('not_found', `No channel of yours or of the site has the id ${id}; see ohmstead alerts channels.`);
}

const test = signedIn('alerts test', {
  summary: 'Send a test message to a channel',
  arguments: [receiverArgument],
  options: { site: siteOption },
  examples: ['alerts test chn-0198f0a2-7c3e-7d10-9a52-5d1f0b6c2e11'],
  async run({ api, arguments: { 'channel id': id }, options }, shell) {
    const { receiver, site_id } = await findReceiver(api, options.site, id);
    const tested = site_id
      ? await api.call(contract.testAlertHook, { params: { site_id, hook_id: id } })
      : await api.call(contract.testAlertChannel, { params: { channel_id: id } });
    if (!tested.delivered) shell.exitCode = 1;
    return { result: tested, text: tested.delivered ? `Sent to ${receiver.name}.` : notDelivered(tested.reason) };
  },
});

const notDelivered = (reason = 'unknown reason'): string => `Not delivered: ${reason}`;

const remove = signedIn('alerts remove', {
  summary: 'Remove a channel',
  arguments: [receiverArgument],
  options: { site: siteOption, yes: yesOption },
  examples: ['alerts remove chn-0198f0a2-7c3e-7d10-9a52-5d1f0b6c2e11'],
  async run({ api, arguments: { 'channel id': id }, options }, shell) {
    const { receiver, site_id } = await findReceiver(api, options.site, id);
    await requireConfirmation(options.yes, `No more alerts will be sent to ${receiver.name}.`, shell);
    if (site_id) await api.call(contract.deleteAlertHook, { params: { site_id, hook_id: id } });
    else await api.call(contract.deleteAlertChannel, { params: { channel_id: id } });
    return { result: { id, removed: true }, text: `Removed ${receiver.name}.` };
  },
});

const history = signedIn('alerts history', {
  summary: `Show the alerts of a site, newest first, up to ${contract.alertDays} days back`,
  options: {
    site: siteOption,
    last: defaultedNumber('NUMBER', 'number of alerts', 50, { min: 1, isWhole: true }),
    language: { value: 'LANGUAGE', oneOf: contract.alertLanguages, help: 'of the texts. Default: en', default: 'en' },
  },
  examples: ['alerts history', 'alerts history --last 10 --language sv --json'],
  async run({ api, options: { site, last, language } }) {
    const { id: site_id } = await findSite(api, site);
    const request = { params: { site_id }, query: { language, limit: Math.min(last, 1000) } };
    const items: contract.Alert[] = [];
    for await (const alert of api.pages(contract.listAlerts, request)) if (items.push(alert) === last) break;
    return { items, fields: ['at', 'ended_at', 'rule', 'title', 'body', 'deliveries'] };
  },
});

export const commands = [rules, set, follow, unfollow, channels, add, confirm, test, remove, history];
