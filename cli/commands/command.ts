import { setTimeout as sleep } from 'node:timers/promises';
import type { Ohmstead } from '#contract/client/connect.ts';
import * as contract from '#contract/cloud/commands.ts';
import { createOrder, listOrders, type Order } from '#contract/cloud/orders.ts';
import { getSite } from '#contract/cloud/sites.ts';
import { Problem } from '#contract/problem.ts';
import type { RequestOf } from '#contract/route.ts';
import { countdownOfCommand, followCommand, linesOfCommand } from '../control/follow-command.ts';
import { orderTimes } from '../control/order-words.ts';
import {
  actions,
  checkPower,
  endOf,
  parseSignedPower,
  readCheapest,
  readDuration,
  readTimeOfDay,
} from '../control/typed-command.ts';
import { command, type Shell, UsageError } from '../line/command.ts';
import { numberOption } from '../line/quantity.ts';
import { formatClockTime, machineTimeZone } from '../line/time.ts';
import { openSession } from '../sign-in/session.ts';
import { describeCommand } from '../sites/der-words.ts';
import { type FoundDer, findDer } from '../sites/find-der.ts';
import { printable, printResult } from '../terminal/output.ts';

const commandDer = command('command', {
  summary: 'Charge, discharge, idle or curtail a DER for a limited time, and show the result',
  arguments: [
    { name: 'der', help: 'id or name; device/name if several share the name' },
    { name: 'action', oneOf: actions, help: 'release returns the device to automatic' },
    { name: 'power', help: 'for example 3kW or 2000W; with curtail, the maximum to generate', optional: true },
  ],
  fields: { power_w: '<power>' },
  options: {
    for: { value: 'TIME', help: 'duration, 1s to 24h. Default 5m', read: readDuration },
    until: { value: 'HH:MM', help: 'until clocks at the site show this', read: readTimeOfDay },
    'until-full': { help: 'until the battery or car is full' },
    'until-soc': numberOption('PERCENT', 'until this state of charge', { min: 1, max: 100 }),
    cheapest: { value: 'TIME', help: 'in the cheapest hours in a row, for example 3h', read: readCheapest },
    before: { value: 'HH:MM', help: 'with --cheapest: the hours end by then', read: readTimeOfDay },
    follow: { help: 'wait until the command ends and the device is back in automatic mode' },
    site: { value: 'SITE', help: 'search for the name only in this site (id or name)' },
    json: { help: 'print the command and its history as JSON at the end' },
  },
  examples: [
    'command battery charge 3kW --for 10m',
    'command battery discharge 2000W --follow',
    'command battery charge 3kW --until 07:00',
    'command battery charge 3kW --cheapest 3h --before 07:00',
    'command battery idle',
    'command "Garage inverter/pv" curtail 1kW',
    'command battery release',
  ],
  async run({ arguments: { der: given, action, power }, options }, shell) {
    const ttl_s = options.for;
    const end = endOf(options);
    checkPower(action, power);
    const api = await openSession(shell);
    const der = await findDer(api, given, options.site);
    const { timezone: timeZone = machineTimeZone() } = await api.call(getSite, { params: { site_id: der.site_id } });
    const isRelease = action === 'release';
    if (isRelease && (end || ttl_s !== undefined)) throw new UsageError('release takes no time.');
    const params = { der_id: der.id };
    if (end && !isRelease)
      return order(
        api,
        der,
        { power_w: parseSignedPower(action, power, der.type), ...end },
        { ...options, timeZone },
        shell,
      );
    const released = isRelease ? await api.call(contract.releaseDer, { params }) : undefined;
    const issued =
      action === 'release'
        ? released?.command
        : await api.call(contract.createCommand, {
            params,
            body: { power_w: parseSignedPower(action, power, der.type), ...(ttl_s !== undefined && { ttl_s }) },
          });
    if (!issued) {
      const sentence = released?.order
        ? `Cancelled ${der.name}: ${describeCommand(der.type, released.order.power_w)}, which had not begun.`
        : `No active command for ${der.name}; its gateway was asked to release it anyway.`;
      return printResult(shell, options.json, params, sentence);
    }
    const what = isRelease ? 'release' : describeCommand(der.type, issued.power_w);
    const isToEnd = isRelease || options.follow;
    const title = `${der.name}: ${what} (${issued.id})`;
    const last = await follow(api, issued, { title, isToEnd, timeZone, ...options }, shell);
    if (!last) return;
    if (options.json) printResult(shell, true, last, '');
    throwIfFailed(last, isToEnd, timeZone);
  },
});

/** Gives an order, and shows how its first command does. */
async function order(
  api: Ohmstead,
  der: FoundDer,
  body: RequestOf<typeof createOrder>['body'],
  { follow: isToEnd, json, timeZone }: { follow: boolean; json: boolean; timeZone: string },
  shell: Shell,
): Promise<void> {
  const params = { der_id: der.id };
  const given = await api.call(createOrder, { params, body });
  const when = orderTimes(given, timeZone);
  const title = `${der.name}: ${describeCommand(der.type, given.power_w)} ${when} (${given.id})`;
  if (json) printResult(shell, true, given, '');
  else shell.stdout.write(`${title}\n`);
  const signal = shell.untilInterrupted();
  const newest = await api.call(contract.listCommands, { params, query: { limit: 1 } });
  const lease = newest.find(({ order_id }) => order_id === given.id);
  if (lease) {
    const view = { title: 'First command', isToEnd: false, follow: false, json, timeZone };
    const done = await follow(api, lease, view, shell);
    if (!done) return;
    throwIfFailed(done, false, timeZone);
  } else if (given.status === 'held' && !json) {
    shell.stdout.write('The gateway is not connected; the command is sent when it is.\n');
  }
  if (isToEnd) await followOrder(api, given, { timeZone, signal }, shell);
}

const pollMs = 2000;

/** Waits until an order ends. */
async function followOrder(
  api: Ohmstead,
  { id, der_id }: Order,
  { timeZone, signal }: { timeZone: string; signal: AbortSignal },
  shell: Shell,
): Promise<void> {
  for (;;) {
    const orders = await api.call(listOrders, { params: { der_id }, query: { limit: 10 }, signal });
    const { ended_at, ended_by, message } = orders.find((each) => each.id === id) ?? { ended_by: 'replaced' };
    if (ended_by) {
      const time = ended_at ? formatClockTime(timeZone, Date.parse(ended_at)) : '';
      shell.stdout.write(`${time}  ended: ${ended_by}${message ? `, ${printable(message)}` : ''}\n`);
      if (ended_by === 'failed') throw new Problem('device_failed', printable(message ?? 'The order failed.'));
      return;
    }
    await sleep(pollMs, undefined, { signal });
  }
}

type FollowOptions = { title: string; isToEnd: boolean; follow: boolean; json: boolean; timeZone: string };

/** Follows a command and returns its last state; undefined if interrupted. */
async function follow(
  api: Ohmstead,
  issued: contract.Command,
  { title, isToEnd, follow, json, timeZone }: FollowOptions,
  shell: Shell,
): Promise<contract.Command | undefined> {
  const signal = shell.untilInterrupted();
  const open = follow && shell.stdout.isTTY ? countdownOfCommand : linesOfCommand;
  const view = json ? undefined : open({ title, timeZone }, shell);
  try {
    return await followCommand(api, issued, { isToEnd, show: (step) => view?.show(step), signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    shell.stderr.write('Interrupted; the command continues until it ends or is released.\n');
    shell.exitCode = 130;
    return undefined;
  } finally {
    view?.close();
  }
}

function throwIfFailed(command: contract.Command, isToEnd: boolean, timeZone: string): void {
  const { status, history } = command;
  if (status === 'failed' || (status === 'expired' && !contract.wasApplied(command))) {
    const what = status === 'failed' ? 'The command failed' : 'The command expired before it was applied';
    const reason = history.at(-1)?.message;
    throw new Problem('device_failed', reason ? `${what}: ${printable(reason)}` : `${what}.`);
  }
  if (contract.isUndelivered(command)) {
    const time = formatClockTime(timeZone, Date.parse(command.expires_at));
    throw new Problem(
      'unavailable',
      `The gateway is offline. The command has no effect, is not sent again when the gateway connects, and expires at ${time}.`,
    );
  }
  if (status === 'queued' || status === 'sent') {
    throw new Problem(
      'unavailable',
      'The gateway has not answered yet; ohmstead gateway list shows whether it is online.',
    );
  }
  if (isToEnd && contract.wasReplaced(command)) throw new Problem('conflict', contract.replacedWords);
  if (isToEnd && status !== 'released') {
    throw new Problem(
      'unavailable',
      'The command has ended, but the gateway has not confirmed that the device is back in automatic mode.',
    );
  }
}

export const commands = [commandDer];
