import type { Form } from '#contract/gateway/form.ts';
import { streamLevels, usualStreamLevel } from '#contract/gateway/system.ts';
import { logTopic } from '#contract/topics.ts';
import type { BrokerSession } from '../links/mqtt/broker-connection.ts';

const levels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
type Level = (typeof levels)[number];

/** Returns the verbosity of a level. */
export const rankOf = (level: Level): number => levels.indexOf(level);

export function levelOf(line: string): Exclude<Level, 'silent'> {
  const name = /"level":"(\w+)"/.exec(line)?.[1];
  return levels.filter((level) => level !== 'silent').find((level) => level === name) ?? 'trace';
}

/** Returns the log level that a stream with this number needs. */
export const levelFor = (number: number): Level =>
  levels.findLast((level) => level !== 'silent' && streamLevels[level] <= number) ?? 'silent';

/** `level` is a number of `streamLevels`. */
export type LogStreamSetting = { enabled: boolean; level: number; form: Form };

const maxQueued = 500;
const maxCharacters = 4096;
const sendMs = 200;
const maxBatchSize = 50;

export type LogStream = ReturnType<typeof createLogStream>;

/** Publishes redacted log lines on the broker. Drops lines that it cannot send in time, and logs nothing itself. */
export function createLogStream(serial: string, onSet: (setting: LogStreamSetting) => void = () => {}) {
  let setting: LogStreamSetting = { enabled: false, level: usualStreamLevel, form: 'later' };
  let session: BrokerSession | undefined;
  let timer: NodeJS.Timeout | undefined;
  let queued: string[] = [];
  let dropped = 0;

  function send(): void {
    if (!session) return;
    const topic = logTopic(serial, setting.form);
    for (const line of queued.splice(0, maxBatchSize)) session.publish(topic, line, 0);
    if (dropped === 0 || queued.length > 0) return;
    session.publish(topic, JSON.stringify({ level: 'warn', msg: 'log lines were dropped', count: dropped }), 0);
    dropped = 0;
  }

  return {
    setting: () => setting,
    set(changed: LogStreamSetting): void {
      setting = changed;
      if (!setting.enabled) queued = [];
      onSet(setting);
    },
    write(line: string): void {
      if (!setting.enabled || streamLevels[levelOf(line)] > setting.level) return;
      if (queued.length >= maxQueued) dropped++;
      else queued.push(line.trimEnd().slice(0, maxCharacters));
    },
    connected(opened: BrokerSession): void {
      session = opened;
      timer = setInterval(send, sendMs);
    },
    disconnected(): void {
      session = undefined;
      clearInterval(timer);
    },
  };
}
