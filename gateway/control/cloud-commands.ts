import { Problem } from '#contract/problem.ts';
import { ackTopicOf, type ControlKind, parseCommandTopic, topicId } from '#contract/topics.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import { parseCloudCommand } from './cloud-command.ts';
import { type AskedCommand, cameLate, type Said } from './command.ts';
import type { CommandLog } from './command-log.ts';
import type { ControlledDevice } from './limits.ts';

export type CloudCommandsDeps = {
  serial: string;
  leaseS: number;
  devices: { list(): ControlledDevice[] };
  commands: Pick<CommandLog, 'find'>;
  submit(device: ControlledDevice, asked: AskedCommand): Promise<Said>;
  /** Lets go of what the platform has commanded until then. */
  release(device: ControlledDevice, kind: ControlKind, issuedAt: number): Promise<void>;
  acknowledge(ackTopic: string, id: string, said: Said): void;
  clock: Clock;
  log: Logger;
};

const mostPending = 64; // messages whose device is being asked

/** Takes the messages of the control topics. What the broker has kept is not for now. */
export function createCloudCommands(deps: CloudCommandsDeps) {
  const { devices, commands, acknowledge, clock, log } = deps;
  let pending = 0;

  async function receive(topic: string, payload: Uint8Array): Promise<void> {
    const addressed = parseCommandTopic(topic);
    if (!addressed || addressed.serial !== deps.serial) {
      log.debug({ topic }, 'a message that is no command');
      return;
    }
    const { kind, device: name } = addressed;
    const ackTopic = ackTopicOf(topic);
    const said = parseCloudCommand(payload, { now: clock.now(), leaseS: deps.leaseS, topic });
    const id = 'id' in said ? said.id : undefined;
    const refuse = (status: Said['status'], message: string): void => {
      log.warn({ topic, command_id: id, reason: message }, 'command refused');
      if (id !== undefined) acknowledge(ackTopic, id, { status, message });
    };
    if ('refused' in said) return refuse('failed', said.refused);
    const before = id === undefined ? undefined : commands.find(id);
    if (before) return acknowledge(ackTopic, id!, before);
    const isLate = 'remainingMs' in said && said.remainingMs <= 0;
    if (isLate) return refuse('expired', cameLate);
    const [device, ...others] = devices.list().filter(({ sn }) => topicId(sn) === topicId(name));
    if (!device || others.length > 0) return refuse('failed', `There is no device ${name}.`);
    if ('releasedAt' in said) return deps.release(device, kind, said.releasedAt);
    const { power_w, remainingMs, issuedAt } = said;
    try {
      await deps.submit(device, {
        subject: kind,
        power_w,
        ttlMs: remainingMs,
        id,
        origin: 'cloud',
        ackTopic,
        issuedAt,
      });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refuse('failed', error.details.errors?.[0]?.message ?? error.message); // a message has no body with fields
    }
  }

  return (topic: string, payload: Uint8Array, isRetained: boolean): void => {
    if (isRetained || pending >= mostPending) {
      log.warn({ topic, isRetained, pending }, 'command refused');
      return;
    }
    pending++;
    receive(topic, payload)
      .catch((error) => log.error({ err: error, topic }, 'a command failed'))
      .finally(() => {
        pending--;
      });
  };
}
