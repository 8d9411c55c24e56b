import { getGateway, listGateways, releaseGateway } from '#contract/cloud/gateways.ts';
import { signedIn } from '../sign-in/session.ts';
import { orgFilter, orgOption } from '../sites/find-site.ts';
import { columns, requireConfirmation, yesOption } from '../terminal/output.ts';

const serialArgument = { name: 'serial', help: 'serial of the gateway (see ohmstead gateway list)' } as const;

const list = signedIn('gateway list', {
  summary: 'List the gateways of your organizations',
  options: { org: { ...orgOption, help: 'only gateways of this organization (id or name)' } },
  examples: ['gateway list', 'gateway list --org Home --json'],
  async run({ api, options }) {
    const items = api.pages(listGateways, { query: await orgFilter(api, options.org) });
    return { items, fields: ['gateway_serial', 'org_id', 'online', 'last_seen', 'device_count'] };
  },
});

const show = signedIn('gateway show', {
  summary: 'Show the details of a gateway',
  arguments: [serialArgument],
  examples: ['gateway show ohm-8f2a61c04d5e7b39'],
  async run({ api, arguments: { serial } }) {
    const { dropped, ...facts } = await api.call(getGateway, { params: { serial } });
    const rows = Object.entries(facts).map(([field, value]) => [field, String(value ?? '-')]);
    const reasons = Object.entries(dropped).map(([reason, count]) => [`dropped, ${reason}`, String(count)]);
    return { result: { ...facts, dropped }, text: columns([...rows, ...reasons]) };
  },
});

const release = signedIn('gateway release', {
  summary: 'Release a gateway from its organization; its devices become orphaned',
  arguments: [serialArgument],
  options: { yes: yesOption },
  examples: ['gateway release ohm-8f2a61c04d5e7b39', 'gateway release ohm-8f2a61c04d5e7b39 --yes'],
  async run({ api, arguments: { serial }, options }, shell) {
    const { device_count } = await api.call(getGateway, { params: { serial } });
    const question = `The platform will no longer accept data from ${serial}, and its ${device_count} devices become orphaned.`;
    await requireConfirmation(options.yes, question, shell);
    await api.call(releaseGateway, { params: { serial } });
    return { result: { gateway_serial: serial, released: true }, text: `${serial} was released.` };
  },
});

export const registryCommands = [list, show, release];
