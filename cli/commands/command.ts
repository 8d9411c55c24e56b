import type { Ohmstead } from '#contract/client/connect.ts';
import * as contract from '#contract/cloud/commands.ts';
import { Problem } from '#contract/problem.ts';
import { countdownOfCommand, followCommand, linesOfCommand } from '../control/follow-command.ts';
import { actions, checkPower, parseSignedPower, readLease } from '../control/typed-command.ts';
import { command, type Shell } from '../line/command.ts';
import { openSession } from '../sign-in/session.ts';
import { describeCommand } from '../sites/der-words.ts';
import { findDer } from '../sites/find-der.ts';
import { printable, printResult } from '../terminal/output.ts';

const commandDer = command('command', {
  summary: 'Charge, discharge, idle or curtail a DER for a limited time, and show the result',
  arguments: [
    { name: 'der', help: 'id or name; device/name if several share the name' },
    { name: 'action', oneOf: actions, help: 'release returns the device to automatic' },
    { name: 'power', help: 'for example 3kW or 2000W; with curtail, the maximum to generate', optional: true },
  ],
  options: {
    for: { value: 'TIME', help: 'duration, 1s to 1h. Default 5m', read: readLease },
    follow: { help: 'wait until the command ends and the device is back in automatic mode' },
    site: { value: 'SITE', help: 'search for the name only in this site (id or name)' },
    json: { help: 'print the command and its history as JSON at the end' },
  },
  examples: [
    'command battery charge 3kW --for 10m',
    'command battery discharge 2000W --follow',
    'command battery idle',
    'command "Garage inverter/pv" curtail 1kW',
    'command battery release',
  ],
  async run({ arguments: { der: given, action, power }, options }, shell) {
    const ttl_s = options.for;
    checkPower(action, power);
    const api = await openSession(shell);
    const der = await findDer(api, given, options.site);
    const isRelease = action === 'release';
    const params = { der_id: der.id };
    const issued = isRelease
      ? (await api.call(contract.releaseDer, { params })).command
      : await api.call(contract.createCommand, {
          params,
          body: { power_w: parseSignedPower(action, power, der.type), ...(ttl_s !== undefined && { ttl_s }) },
        });
    if (!issued) {
      const sentence = `No active command for ${der.name}; its gateway was asked to release it anyway.`;
      return printResult(shell, options.json, params, sentence);
    }
    const what = isRelease ? 'release' : describeCommand(der.type, issued.power_w);
    const isToEnd = isRelease || options.follow;
    const title = `${der.name}: ${what} (${issued.id})`;
    const last = await follow(api, issued, { title, isToEnd, ...options }, shell);
    if (!last) return;
    if (options.json) printResult(shell, true, last, '');
    throwIfFailed(last, isToEnd);
  },
});

type FollowOptions = { title: string; isToEnd: boolean; follow: boolean; json: boolean };

/** Follows a command and returns its last state; undefined if interrupted. */
async function follow(
  api: Ohmstead,
  issued: contract.Command,
  { title, isToEnd, follow, json }: FollowOptions,
  shell: Shell,
): Promise<contract.Command | undefined> {
  const signal = shell.untilInterrupted();
  const open = follow && shell.stdout.isTTY ? countdownOfCommand : linesOfCommand;
  const view = json ? undefined : open(title, shell);
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

function throwIfFailed(command: contract.Command, isToEnd: boolean): void {
  const { status, history } = command;
  if (status === 'failed' || (status === 'expired' && !contract.wasApplied(command))) {
    const what = status === 'failed' ? 'The command failed' : 'The command expired before it was applied';
    const reason = history.at(-1)?.message;
    throw new Problem('device_failed', reason ? `${what}: ${printable(reason)}` : `${what}.`);
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
