import { maxLeaseS } from '#contract/command.ts';
import { Problem } from '#contract/problem.ts';
import { parseTime } from '#contract/time.ts';
import { ackTopicOf, type ControlKind, parseCommandTopic, topicId } from '#contract/topics.ts';
import type { Clock } from '#lib/clock.ts';
import { JsonError, parseJson } from '#lib/json.ts';
import type { Logger } from '#lib/log.ts';
import { type CommandRequest, type CommandStatus, expiredOnArrival, maxClockSkewMs } from './command.ts';
import type { CommandLog } from './command-log.ts';
import type { ControlledDevice } from './limits.ts';

export type CloudCommandsDeps = {
  serial: string;
  leaseS: number;
  devices: { list(): ControlledDevice[] };
  commands: Pick<CommandLog, 'find'>;
  submit(device: ControlledDevice, request: CommandRequest): Promise<CommandStatus>;
  /** Releases what the platform commanded up to `issuedAt`. */
  release(device: ControlledDevice, kind: ControlKind, issuedAt: number): Promise<void>;
  acknowledge(ackTopic: string, id: string, status: CommandStatus): void;
  clock: Clock;
  log: Logger;
};

const maxPending = 64; // messages being processed

/** Returns the handler for messages on the control topics. It refuses retained messages, whose age is unknown. */
export function createCloudCommands(deps: CloudCommandsDeps) {
  const { devices, commands, acknowledge, clock, log } = deps;
  let pending = 0;

  async function receive(topic: string, payload: Uint8Array): Promise<void> {
    const addressed = parseCommandTopic(topic);
    if (!addressed || addressed.serial !== deps.serial) {
      log.debug({ topic }, 'ignored a message that is not a command');
      return;
    }
    const { kind, device: name } = addressed;
    const ackTopic = ackTopicOf(topic);
    const message = parseCloudCommand(payload, { now: clock.now(), leaseS: deps.leaseS, topic });
    const id = 'id' in message ? message.id : undefined;
    const refuse = (status: CommandStatus['status'], reason: string): void => {
      log.warn({ topic, command_id: id, reason }, 'command refused');
      if (id !== undefined) acknowledge(ackTopic, id, { status, message: reason });
    };
    if ('refused' in message) return refuse('failed', message.refused);
    if (id !== undefined) {
      const known = commands.find(id);
      if (known) return acknowledge(ackTopic, id, known);
    }
    if ('remainingMs' in message && message.remainingMs <= 0) return refuse('expired', expiredOnArrival);
    const [device, ...others] = devices.list().filter(({ sn }) => topicId(sn) === topicId(name));
    if (!device || others.length > 0) return refuse('failed', `Unknown device ${name}.`);
    if ('releasedAt' in message) return deps.release(device, kind, message.releasedAt);
    const { power_w, remainingMs: ttlMs, issuedAt } = message;
    try {
      await deps.submit(device, { subject: kind, power_w, ttlMs, id, origin: 'cloud', ackTopic, issuedAt });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refuse('failed', error.details.errors?.[0]?.message ?? error.message); // an MQTT message has no body fields to name
    }
  }

  return (topic: string, payload: Uint8Array, isRetained: boolean): void => {
    if (isRetained || pending >= maxPending) {
      log.warn({ topic, isRetained, pending }, 'command refused');
      return;
    }
    pending++;
    receive(topic, payload)
      .catch((error) => log.error({ err: error, topic }, 'failed to process a command'))
      .finally(() => {
        pending--;
      });
  };
}

type CloudCommand =
  /** zero or less remains when the command has expired */
  | { power_w: number; id: string | undefined; issuedAt: number; remainingMs: number }
  /** releases what the platform commanded up to this time */
  | { releasedAt: number }
  | { refused: string; id?: string };

const maxBytes = 4096;

/** Parses a message of a control topic; returns the reason as `refused` when it is not valid. */
export function parseCloudCommand(
  payload: Uint8Array,
  { now, leaseS, topic }: { now: number; leaseS: number; topic: string },
): CloudCommand {
  if (payload.length > maxBytes) return { refused: 'The message is too long.' };
  let fields: Record<string, unknown>;
  try {
    fields = { ...Object(parseJson(payload)) };
  } catch (error) {
    if (error instanceof JsonError) return { refused: error.message };
    throw error;
  }
  const { action, power_w, ttl_s = leaseS, command_id, expires_at } = fields;
  const id = typeof command_id === 'string' && command_id.length <= 128 ? command_id : undefined;
  const refuse = (refused: string) => ({ refused, ...(id !== undefined && { id }) });

  const [issued, expires] = [readTime(fields.issued_at ?? fields.timestamp), readTime(expires_at)];
  if (Number.isNaN(issued) || Number.isNaN(expires)) return refuse('Invalid timestamp.');
  if (issued !== undefined && issued > now + maxClockSkewMs) return refuse('The command was issued in the future.');
  if (action === 'release') return { releasedAt: issued ?? now };
  if (action !== undefined) return refuse('Unknown action; the only one is release.');
  if (typeof power_w !== 'number' || !Number.isFinite(power_w)) return refuse('power_w must be a number.');
  if (typeof ttl_s !== 'number' || !(ttl_s >= 1 && ttl_s <= maxLeaseS))
    return refuse(`ttl_s must be 1 to ${maxLeaseS}.`);
  if (command_id !== undefined && id === undefined)
    return refuse('command_id must be a string of at most 128 characters.');

  const ends = Math.min((issued ?? now) + ttl_s * 1000, expires ?? Number.POSITIVE_INFINITY);
  return {
    power_w,
    // A message without an id is recognised by its time when it is delivered twice.
    id: id ?? (issued === undefined ? undefined : `${topic} ${issued} ${power_w}`.slice(-128)),
    issuedAt: issued ?? now,
    remainingMs: Math.min(ends - now, ttl_s * 1000),
  };
}

/** Returns undefined when no time is given, and NaN when it is invalid. */
function readTime(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'number' || typeof value === 'string' ? (parseTime(String(value)) ?? Number.NaN) : Number.NaN;
}
