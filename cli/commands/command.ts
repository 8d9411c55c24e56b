import type { Ohmstead } from '#contract/client/connect.ts';
import {
  type Command,
  createCommand,
  releaseDer,
  replacedWords,
  wasApplied,
  wasReplaced,
} from '#contract/cloud/commands.ts';
import { Problem } from '#contract/problem.ts';
import { followCommand } from '../control/command-steps.ts';
import { countdownOfCommand, linesOfCommand } from '../control/command-view.ts';
import { actions, checkPower, leaseOf, typedPower } from '../control/typed-command.ts';
import { command, type Shell } from '../line/command.ts';
import { signedIn } from '../sign-in/session.ts';
import { commandWords } from '../sites/der-words.ts';
import { findDer } from '../sites/find-der.ts';
import { printResult } from '../terminal/output.ts';
import { printable } from '../terminal/printable.ts';

const commandDer = command({
  name: 'command',
  summary: 'Charge, discharge, stay idle or curtail for a while, and see what becomes of it',
  arguments: [
    { name: 'der', says: 'id or name; device/name where several are called so' },
    { name: 'action', oneOf: actions, says: 'release lets go of what was commanded before' },
    { name: 'power', says: 'for example 3kW or 2000W; of curtail the most that may be generated', optional: true },
  ],
  options: {
    for: { value: 'TIME', says: 'how long it holds, 1s to 1h. Default 5m' },
    follow: { says: 'stay until its time is over and the device is back in its own mode' },
    site: { value: 'SITE', says: 'id or name, to look for the name there only' },
    json: { says: 'print the command with its history as JSON, at the end' },
  },
  examples: [
    'command battery charge 3kW --for 10m',
    'command battery discharge 2000W --follow',
    'command battery idle',
    'command "Garage inverter/pv" curtail 1kW',
    'command battery release',
  ],
  async run({ arguments: { der: given, action, power }, options }, shell) {
    const ttl_s = leaseOf(options.for);
    checkPower(action, power);
    const api = await signedIn(shell);
    const der = await findDer(api, given, options.site);
    const isRelease = action === 'release';
    const issued = isRelease
      ? await letGo(api, der.id)
      : await api.call(createCommand, {
          params: { der_id: der.id },
          body: { power_w: typedPower(action, power, der.type), ...(ttl_s !== undefined && { ttl_s }) },
        });
    if (!issued) {
      const sentence = `No command is known to hold ${der.name}; its gateway was told to let go all the same.`;
      return printResult(shell, options.json, { der_id: der.id }, sentence);
    }
    const what = isRelease ? 'release' : commandWords(der.type, issued.power_w);
    const isToEnd = isRelease || options.follow;
    const last = await see(api, issued, { title: `${der.name}: ${what} (${issued.id})`, isToEnd, ...options }, shell);
    if (!last) return;
    if (options.json) printResult(shell, true, last, '');
    refuseFailure(last, isToEnd);
  },
});

/** The command that held it; undefined when none is known to. */
const letGo = async (api: Ohmstead, der_id: string): Promise<Command | undefined> =>
  (await api.call(releaseDer, { params: { der_id } })).command;

type Sight = { title: string; isToEnd: boolean; follow: boolean; json: boolean };

/** The command as it is after everything that is to be seen of it; undefined when somebody did not want to wait. */
async function see(
  api: Ohmstead,
  issued: Command,
  { title, isToEnd, follow, json }: Sight,
  shell: Shell,
): Promise<Command | undefined> {
  const signal = shell.untilInterrupted();
  const open = follow && shell.stdout.isTTY ? countdownOfCommand : linesOfCommand;
  const view = json ? undefined : open(title, shell);
  try {
    return await followCommand(api, issued, { isToEnd, show: (step) => view?.show(step), signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    shell.stderr.write('Interrupted; the command goes on until its time is over, or until it is released.\n');
    shell.exitCode = 130;
    return undefined;
  } finally {
    view?.close();
  }
}

function refuseFailure(command: Command, isToEnd: boolean): void {
  const { status, history } = command;
  if (status === 'failed' || (status === 'expired' && !wasApplied(command))) {
    const what = status === 'failed' ? 'The command failed' : 'The command came too late';
    const reason = history.at(-1)?.message;
    throw new Problem('device_failed', reason ? `${what}: ${printable(reason)}` : `${what}.`);
  }
  if (status === 'queued' || status === 'sent') {
    throw new Problem(
      'unavailable',
      'The gateway has not answered yet; ohmstead gateway list tells whether it is online.',
    );
  }
  if (isToEnd && wasReplaced(command)) throw new Problem('conflict', replacedWords);
  if (isToEnd && status !== 'released') {
    throw new Problem('unavailable', 'Its time is over; that the device is back in its own mode was not told yet.');
  }
}

export const controlCommands = [commandDer];
