import type { Form } from '#contract/gateway/form.ts';
import { streamLevels, usualStreamLevel } from '#contract/gateway/system.ts';
import { logTopic } from '#contract/topics.ts';
import type { BrokerSession } from '../links/mqtt/broker-connection.ts';

const levels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
type Level = (typeof levels)[number];

/** How much is told at a level. */
export const rankOf = (level: Level): number => levels.indexOf(level);

/** The level of a line of `lib/log.ts`. */
export const levelOf = (line: string): Exclude<Level, 'silent'> =>
  (/"level":"(\w+)"/.exec(line)?.[1] as Exclude<Level, 'silent'> | undefined) ?? 'trace';

/** Which lines have to be written for a stream that asks for this number. */
export const levelFor = (number: number): Level =>
  levels.findLast((level) => level !== 'silent' && streamLevels[level] <= number) ?? 'silent';

/** `level` is a number of `streamLevels`. */
export type LogStreamSetting = { enabled: boolean; level: number; form: Form };

const mostWaiting = 500;
const mostCharacters = 4096;
const sendMs = 200;
const mostAtOnce = 50;

/**
 * The log on the broker: a destination for the lines of `lib/log.ts`, where secrets have been redacted. What it cannot send
 * in time is dropped; it logs nothing itself.
 */
export class LogStream {
  setting: LogStreamSetting = { enabled: false, level: usualStreamLevel, form: 'later' };
  readonly #serial: string;
  readonly #onSet: (setting: LogStreamSetting) => void;
  #session: BrokerSession | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waiting: string[] = [];
  #dropped = 0;

  constructor(serial: string, onSet: (setting: LogStreamSetting) => void = () => {}) {
    this.#serial = serial;
    this.#onSet = onSet;
  }

  set(setting: LogStreamSetting): void {
    this.setting = setting;
    if (!setting.enabled) this.#waiting = [];
    this.#onSet(setting);
  }

  write(line: string): void {
    const { enabled, level } = this.setting;
    if (!enabled || streamLevels[levelOf(line)] > level) return;
    if (this.#waiting.length >= mostWaiting) this.#dropped++;
    else this.#waiting.push(line.trimEnd().slice(0, mostCharacters));
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
    for (const line of this.#waiting.splice(0, mostAtOnce)) session.publish(topic, line, 0);
    if (this.#dropped === 0 || this.#waiting.length > 0) return;
    session.publish(topic, JSON.stringify({ level: 'warn', msg: 'log lines were dropped', count: this.#dropped }), 0);
    this.#dropped = 0;
  }
}
