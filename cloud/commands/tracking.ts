import { type CommandStatus, commandStatuses, replacedWords, underWay } from '#contract/cloud/commands.ts';
import { gatewayAway } from '#contract/cloud/orders.ts';
import { maxLeaseS } from '#contract/command.ts';
import { createSchedule } from '#lib/every.ts';
import { formatEvent } from '#lib/http/sse.ts';
import { isObject, parseJson } from '#lib/json.ts';
import { raiseFailedCommand } from '../alerts/raise.ts';
import type { Transport } from '../broker/transport.ts';
import { findCommand, listOlderCommands, listOverdueCommands, updateCommandStatus } from '../store/commands.ts';
import { getDer, getDevice } from '../store/devices.ts';
import { findGateway } from '../store/gateways.ts';
import type { CommandRow } from '../store/schema.ts';
import type { CommonDeps } from '../store/store.ts';
import type { Live } from '../telemetry/live.ts';
import { commandOf, mayMove, moved, type QueuedCommand } from './commands.ts';
import { noteLease, unreachable } from './orders.ts';
import type { QueuedRelease } from './release.ts';

export type CommandTracking = ReturnType<typeof createCommandTracking>;

type Message = Pick<QueuedRelease, 'topic' | 'payload'>;

export type TrackingDeps = CommonDeps & { transport: Pick<Transport, 'publish' | 'canPublish'>; live: Live };

const checkMs = 1000;
export const unanswered = 'The gateway did not answer.';

/** Sends commands and releases, and follows the status of commands. */
export function createCommandTracking({ store, transport, live, clock, log }: TrackingDeps) {
  const unsent = new Map<Message, number>(); // with the time after which sending it is useless

  async function move(
    id: string,
    status: CommandStatus,
    isMeant: (command: CommandRow) => boolean,
    given?: string,
  ): Promise<boolean> {
    const change = await store.write(async ({ db }) => {
      const command = await findCommand(db, id);
      if (!command || !isMeant(command) || !mayMove(command.status, status)) return undefined;
      const now = clock.now();
      const isAway = status === 'sent' && (await findGateway(db, command.gateway_serial))?.online !== 1;
      const message = isAway ? gatewayAway : given;
      const replaced = status === 'applied' ? await listOlderCommands(db, command.der_id, 'applied', id) : [];
      const steps = [
        moved(command, status, now, message),
        ...replaced.map((older) => moved(older, 'expired', now, replacedWords)),
      ];
      for (const step of steps) await updateCommandStatus(db, step.id, step.status, step.history);
      await noteLease(db, command, status, message, now);
      const { site_id: siteId, device_id } = await getDer(db, command.der_id);
      if (status === 'failed' || message === unanswered) {
        const { name: device } = await getDevice(db, device_id);
        await raiseFailedCommand(db, { id, siteId, device, reason: message ?? 'The gateway gave no reason.' }, now);
      }
      return { steps, siteId };
    });
    if (!change) return false;
    for (const step of change.steps) emit(step, change.siteId);
    return true;
  }

  function emit(command: CommandRow, siteId: string): void {
    live.emit(siteId, formatEvent(JSON.stringify(commandOf(command)), { event: 'command' }));
  }

  async function expire(): Promise<void> {
    const overdue = await listOverdueCommands(store.db, underWay, clock.now());
    for (const { id, status } of overdue)
      await move(id, 'expired', (command) => command.status === status, status === 'applied' ? undefined : unanswered);
  }

  function sendReleases(): void {
    for (const [release, end] of unsent) {
      const isSent = transport.canPublish && transport.publish(release.topic, release.payload);
      if (isSent || end < clock.now()) unsent.delete(release);
    }
  }

  return {
    /** whether the broker accepts messages */
    get canSend(): boolean {
      return transport.canPublish;
    },

    /** Publishes a command to its gateway if that is connected now; commands are never queued. */
    send({ command, siteId, topic, payload }: QueuedCommand): void {
      emit(command, siteId);
      const noted = transport.publish(topic, payload)
        ? move(command.id, 'sent', () => true)
        : move(command.id, 'failed', () => true, unreachable);
      noted.catch((error) => log.error({ err: error }, 'status of a sent command not stored'));
    },

    /** Sends a release, as soon as the broker is available. The gateway then reports the status of its commands. */
    release(queued: Message): void {
      unsent.set(queued, clock.now() + maxLeaseS * 1000); // by then every lease has ended
      sendReleases();
    },

    /** Handles a status report of a gateway. Returns whether it changed a command. */
    async acknowledged(serial: string, payload: Uint8Array): Promise<boolean> {
      const { command_id, status, message } = parseAck(payload);
      if (command_id === undefined || status === undefined) return false;
      return move(command_id, status, ({ gateway_serial }) => gateway_serial === serial, message);
    },

    ...createSchedule(
      log,
      [checkMs, expire, 'ending commands'],
      [checkMs, async () => sendReleases(), 'sending releases'],
    ),
  };
}

/** Returns the valid fields of a status report. */
function parseAck(payload: Uint8Array): { command_id?: string; status?: CommandStatus; message?: string } {
  try {
    const ack = parseJson(payload);
    if (!isObject(ack)) return {};
    const { command_id, message } = ack;
    const status = commandStatuses.find((candidate) => candidate === ack.status);
    return {
      ...(typeof command_id === 'string' && { command_id }),
      ...(status && { status }),
      ...(typeof message === 'string' && { message: message.slice(0, 256) }),
    };
  } catch {
    return {};
  }
}
