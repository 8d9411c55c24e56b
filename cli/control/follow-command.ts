import { setTimeout as sleep } from 'node:timers/promises';
import type { Ohmstead } from '#contract/client/connect.ts';
import {
  type Command,
  isUndelivered,
  listCommands,
  underWay,
  wasApplied,
  wasReplaced,
} from '#contract/cloud/commands.ts';
import { gatewayAway } from '#contract/cloud/orders.ts';
import { Problem } from '#contract/problem.ts';
import { monotonicClock, systemClock } from '#lib/clock.ts';
import type { Shell } from '../line/command.ts';
import { formatCountdown } from '../line/quantity.ts';
import { formatClockTime } from '../line/time.ts';
import { printable } from '../terminal/output.ts';
import { openScreen } from '../terminal/screen.ts';

const pollMs = 300;
const answerTimeoutMs = 30_000;
const offlineTimeoutMs = 5000; // the platform may not know yet that the gateway has connected
const releaseTimeoutMs = 15_000; // for a released device to report automatic mode

/** Returns how long after issuing to wait for the next status; undefined when there is nothing more to wait for. */
function waitMsFor(command: Command, isToEnd: boolean): number | undefined {
  const { status, ttl_s } = command;
  if (isUndelivered(command)) return offlineTimeoutMs;
  if (status === 'queued' || status === 'sent') return answerTimeoutMs;
  const goesOn = status === 'applied' || (status === 'expired' && wasApplied(command) && !wasReplaced(command));
  return goesOn && isToEnd ? ttl_s * 1000 + releaseTimeoutMs : undefined;
}

type Following = { isToEnd: boolean; show(command: Command): void; signal: AbortSignal };

/** Shows a command after each change of its status. Polls, because the stream of a site does not replay missed changes. */
export async function followCommand(
  api: Ohmstead,
  issued: Command,
  { isToEnd, show, signal }: Following,
): Promise<Command> {
  const issuedAt = monotonicClock.now();
  let known = issued;
  show(known);
  for (;;) {
    const patience = waitMsFor(known, isToEnd);
    if (patience === undefined || monotonicClock.now() - issuedAt > patience) return known;
    await sleep(pollMs, undefined, { signal });
    const now = await findCommand(api, known, signal);
    if (now.history.length > known.history.length) show(now);
    known = now;
  }
}

async function findCommand(api: Ohmstead, { id, der_id }: Command, signal: AbortSignal): Promise<Command> {
  const newestFirst = api.pages(listCommands, { params: { der_id }, query: { limit: 10 }, signal });
  for await (const command of newestFirst) if (command.id === id) return command;
  throw new Problem('not_found', `The platform no longer has the command ${id}.`);
}

type CommandView = { show(command: Command): void; close(): void };

const redrawMs = 250;

type ViewOptions = {
  title: string;
  /** of the site */
  timeZone: string;
};

const stepLine = ({ at, status, message }: Command['history'][number], timeZone: string): string =>
  `${formatClockTime(timeZone, Date.parse(at))}  ${message === gatewayAway ? 'not delivered' : status}${message ? `: ${printable(message)}` : ''}`;

export function linesOfCommand({ title, timeZone }: ViewOptions, { stdout }: Shell): CommandView {
  let shown = 0;
  stdout.write(`${title}\n`);
  return {
    show({ history }) {
      for (const step of history.slice(shown)) stdout.write(`${stepLine(step, timeZone)}\n`);
      shown = history.length;
    },
    close() {},
  };
}

/** Shows the status changes and the remaining time, redrawn in place. */
export function countdownOfCommand({ title, timeZone }: ViewOptions, { stdout }: Shell): CommandView {
  const screen = openScreen(stdout);
  let lines = [title];
  let endsAt: number | undefined;
  const draw = (): void => {
    const left = endsAt === undefined ? [] : [`${formatCountdown(endsAt - systemClock.now())} left`];
    screen.draw([...lines, ...left]);
  };
  const timer = setInterval(draw, redrawMs);
  return {
    show({ history, status, ttl_s }) {
      lines = [title, ...history.map((step) => stepLine(step, timeZone))];
      endsAt = underWay.includes(status) ? (endsAt ?? systemClock.now() + ttl_s * 1000) : undefined;
      draw();
    },
    close() {
      clearInterval(timer);
      endsAt = undefined;
      draw();
      screen.close();
    },
  };
}
