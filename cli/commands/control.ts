import type { Ohmstead } from '#contract/client/connect.ts';
import { heldCommand, listCommands, releaseDer } from '#contract/cloud/commands.ts';
import { listHeldOrders } from '#contract/cloud/orders.ts';
import { listSiteDevices, type Site } from '#contract/cloud/sites.ts';
import { takesCommands } from '#contract/command.ts';
import type { DerTypeId } from '#contract/der.ts';
import { Problem } from '#contract/problem.ts';
import { orderTimes } from '../control/order-words.ts';
import { formatLocalTime, machineTimeZone } from '../line/time.ts';
import { signedIn } from '../sign-in/session.ts';
import { describeCommand } from '../sites/der-words.ts';
import { findSite, siteOption } from '../sites/find-site.ts';
import { columns, printable } from '../terminal/output.ts';

const newest = 20; // the command that holds a DER is nearly always the first

type Held = {
  /** of the order, or of a command without one */
  id: string;
  der_id: string;
  der: string;
  type: DerTypeId;
  power_w: number;
  status: 'held' | 'waiting';
  starts_at: string;
  ends_at: string;
  times: string;
  created_by_name?: string;
  message?: string;
};

/** Lists the active and scheduled commands of a site: orders, and commands that belong to none. */
async function listHeld(api: Ohmstead, { id: site_id, timezone: timeZone = machineTimeZone() }: Site): Promise<Held[]> {
  const devices = await Array.fromAsync(api.pages(listSiteDevices, { params: { site_id } }));
  const ders = devices.flatMap((device) =>
    device.ders
      .filter(({ type }) => takesCommands(type))
      .map(({ id, name, type }) => ({ der_id: id, der: `${device.name}/${name}`, type })),
  );
  const orders = new Map(
    (await api.call(listHeldOrders, { params: { site_id } })).map((order) => [order.der_id, order]),
  );
  const held: Held[] = [];
  for (const der of ders) {
    const order = orders.get(der.der_id);
    if (order) {
      const { id, power_w, status, starts_at, ends_at, created_by_name, message } = order;
      held.push({
        id,
        ...der,
        power_w,
        status: status === 'waiting' ? 'waiting' : 'held',
        starts_at,
        ends_at,
        times: orderTimes(order, timeZone),
        ...(created_by_name !== undefined && { created_by_name }),
        ...(message !== undefined && { message }),
      });
      continue;
    }
    const command = heldCommand(
      await api.call(listCommands, { params: { der_id: der.der_id }, query: { limit: newest } }),
    );
    if (!command) continue;
    const { id, power_w, created_at: starts_at, expires_at: ends_at, created_by_name } = command;
    held.push({
      id,
      ...der,
      power_w,
      status: 'held',
      starts_at,
      ends_at,
      times: `until ${formatLocalTime(timeZone, Date.parse(ends_at))}`,
      ...(created_by_name !== undefined && { created_by_name }),
    });
  }
  return held;
}

const list = signedIn('control list', {
  summary: 'List the active and scheduled commands of a site',
  options: { site: siteOption },
  examples: ['control list', 'control list --site "My house" --json'],
  async run({ api, options }) {
    const site = await findSite(api, options.site);
    const held = await listHeld(api, site);
    if (held.length === 0)
      return {
        result: held,
        text: `No command is active at ${site.name}. Devices run automatically or follow the plan.`,
      };
    const rows = held.map(({ id, der, type, power_w, status, times, created_by_name = '', message = '' }) =>
      [der, describeCommand(type, power_w), status, times, created_by_name, id, message].map(printable),
    );
    const head = ['DER', 'COMMAND', 'STATUS', 'WHEN', 'BY', 'ID', 'MESSAGE'];
    return { result: held, text: columns([head, ...rows]) };
  },
});

const cancel = signedIn('control cancel', {
  summary: 'Cancel the active or scheduled command of a DER; it returns to automatic',
  arguments: [{ name: 'command', help: 'its id, or the name of its DER, as control list shows them' }],
  options: { site: siteOption },
  examples: ['control cancel battery', 'control cancel ord-0198f0a2-7c3e-7d10-9a52-5d1f0b6c2e11'],
  async run({ api, arguments: { command: given }, options }) {
    const site = await findSite(api, options.site);
    const { der_id, der, type, power_w, times } = choose(await listHeld(api, site), given, site);
    const released = await api.call(releaseDer, { params: { der_id } });
    const what = `${printable(der)}: ${describeCommand(type, power_w)} ${times}`;
    return { result: released, text: `Cancelled ${what}. The device returns to automatic.` };
  },
});

/** Returns the command with this id, or of this DER. The id of one that has ended cancels nothing else. */
function choose(held: readonly Held[], given: string, { name }: Site): Held {
  const fitting = held.filter(({ id, der_id, der }) => [id, der_id, der].includes(given) || der.endsWith(`/${given}`));
  const [only, ...more] = fitting;
  if (!only)
    throw new Problem(
      'not_found',
      `No command of "${given}" is active or scheduled at ${name}; see ohmstead control list.`,
    );
  if (more.length === 0) return only;
  const lines = fitting.map(({ id, der }) => `  ${id}  ${printable(der)}`);
  throw new Problem(
    'conflict',
    [`Several DERs are named "${given}"; choose a command by its id:`, ...lines].join('\n'),
  );
}

export const commands = [list, cancel];
