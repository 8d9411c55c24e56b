import { setTimeout as sleep } from 'node:timers/promises';
import type { Ohmstead } from '#contract/client/connect.ts';
import { type Command, listCommands, wasApplied, wasReplaced } from '#contract/cloud/commands.ts';
import { Problem } from '#contract/problem.ts';
import { monotonicClock } from '#lib/clock.ts';

const lookMs = 300;
const answerMs = 30_000;
const backMs = 15_000; // until a device that is let go is seen in its own mode

/** How long after it was issued the next step is worth waiting for; undefined when it has come as far as is asked. */
function patienceMs(command: Command, isToEnd: boolean): number | undefined {
  const { status, ttl_s } = command;
  if (status === 'queued' || status === 'sent') return answerMs;
  const goesOn = status === 'applied' || (status === 'expired' && wasApplied(command) && !wasReplaced(command));
  return goesOn && isToEnd ? ttl_s * 1000 + backMs : undefined;
}

type Following = { isToEnd: boolean; show(command: Command): void; signal: AbortSignal };

/**
 * Shows a command each time it has come further, until it is applied or over, or nothing more is heard. It is asked for
 * again and again: the stream of the site tells steps as well, but none that happened while it was cut off.
 */
export async function followCommand(
  api: Ohmstead,
  issued: Command,
  { isToEnd, show, signal }: Following,
): Promise<Command> {
  const issuedAt = monotonicClock.now();
  let known = issued;
  show(known);
  for (;;) {
    const patience = patienceMs(known, isToEnd);
    if (patience === undefined || monotonicClock.now() - issuedAt > patience) return known;
    await sleep(lookMs, undefined, { signal });
    const now = await findCommand(api, known, signal);
    if (now.history.length > known.history.length) show(now);
    known = now;
  }
}

async function findCommand(api: Ohmstead, { id, der_id }: Command, signal: AbortSignal): Promise<Command> {
  const newestFirst = api.pages(listCommands, { params: { der_id }, query: { limit: 10 }, signal });
  for await (const command of newestFirst) if (command.id === id) return command;
  throw new Problem('not_found', `The platform no longer knows the command ${id}.`);
}
