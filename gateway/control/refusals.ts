import type { Status } from '#contract/gateway/status.ts';
import type { Clock } from '#lib/clock.ts';
import type { Command, Said } from './command.ts';

export type Refusals = {
  note(sn: string, command: Command, said: Said): void;
  list(): Status['refused'];
};

/** Of each device the last command that was given here and could not be carried out, until the next one is given. */
export function createRefusals(clock: Clock): Refusals {
  const bySn = new Map<string, Status['refused'][number]>();
  return {
    note(sn, { subject, power_w, origin }, { status, message = '' }) {
      if (origin !== 'local' || status === 'released') return;
      if (status === 'failed') bySn.set(sn, { sn, subject, power_w, message, at: clock.now() });
      else bySn.delete(sn);
    },
    list: () => [...bySn.values()],
  };
}
