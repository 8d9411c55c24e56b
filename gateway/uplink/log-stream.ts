import type { Form } from '#contract/gateway/form.ts';
import { streamLevels, usualStreamLevel } from '#contract/gateway/system.ts';
import { logTopic } from '#contract/topics.ts';
import type { BrokerSession } from '../links/mqtt/broker-connection.ts';

const levels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
type Level = (typeof levels)[number];

/** Returns the verbosity of a level. */
export const rankOf = (level: Level): number => levels.indexOf(level);

/** Returns the level of a log line. */
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

/**
 * Publishes log lines on the broker. `lib/log.ts` has redacted secrets already. Drops lines that it cannot send in time,
 * and logs nothing itself.
 */
export class LogStream {
  setting: LogStreamSetting = { enabled: false, level: usualStreamLevel, form: 'later' };
  readonly #serial: string;
  readonly #onSet: (setting: LogStreamSetting) => void;
  #session: BrokerSession | undefined;
  #timer: NodeJS.Timeout | undefined;
  #queued: string[] = [];
  #dropped = 0;

  constructor(serial: string, onSet: (setting: LogStreamSetting) => void = () => {}) {
    this.#serial = serial;
    this.#onSet = onSet;
  }

  set(setting: LogStreamSetting): void {
    this.setting = setting;
    if (!setting.enabled) this.#queued = [];
    this.#onSet(setting);
  }

  write(line: string): void {
    const { enabled, level } = this.setting;
    if (!enabled || streamLevels[levelOf(line)] > level) return;
    if (this.#queued.length >= maxQueued) this.#dropped++;
    else this.#queued.push(line.trimEnd().slice(0, maxCharacters));
  }

  connected(session: BrokerSession): void {
    this.#session = session;
    this.#timer = setInterval(() => this.#send(), sendMs);
  }

  disconnected(): void {
    this.#session = undefined;
    clearInterval(this.#timer);
  }

  #send(): void {
    const session = this.#session;
    if (!session) return;
    const topic = logTopic(this.#serial, this.setting.form);
    for (const line of this.#queued.splice(0, maxBatchSize)) session.publish(topic, line, 0);
    if (this.#dropped === 0 || this.#queued.length > 0) return;
    session.publish(topic, JSON.stringify({ level: 'warn', msg: 'log lines were dropped', count: this.#dropped }), 0);
    this.#dropped = 0;
  }
}
