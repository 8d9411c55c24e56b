import type { Form } from '#contract/gateway/form.ts';
import { streamLevels, usualStreamLevel } from '#contract/gateway/system.ts';
import { logTopic } from '#contract/topics.ts';
import type { Session } from '../links/mqtt/session.ts';
import { levelOf } from '../log-level.ts';

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
  private readonly serial: string;
  private readonly onSet: (setting: LogStreamSetting) => void;
  private session: Session | undefined;
  private timer: NodeJS.Timeout | undefined;
  private waiting: string[] = [];
  private dropped = 0;

  constructor(serial: string, onSet: (setting: LogStreamSetting) => void = () => {}) {
    this.serial = serial;
    this.onSet = onSet;
  }

  set(setting: LogStreamSetting): void {
    this.setting = setting;
    if (!setting.enabled) this.waiting = [];
    this.onSet(setting);
  }

  write(line: string): void {
    const { enabled, level } = this.setting;
    if (!enabled || streamLevels[levelOf(line)] > level) return;
    if (this.waiting.length >= mostWaiting) this.dropped++;
    else this.waiting.push(line.trimEnd().slice(0, mostCharacters));
  }

  connected(session: Session): void {
    this.session = session;
    this.timer = setInterval(() => this.send(), sendMs);
  }

  disconnected(): void {
    this.session = undefined;
    clearInterval(this.timer);
  }

  private send(): void {
    const { session } = this;
    if (!session) return;
    const topic = logTopic(this.serial, this.setting.form);
    for (const line of this.waiting.splice(0, mostAtOnce)) session.publish(topic, line, 0);
    if (this.dropped === 0 || this.waiting.length > 0) return;
    session.publish(topic, JSON.stringify({ level: 'warn', msg: 'log lines were dropped', count: this.dropped }), 0);
    this.dropped = 0;
  }
}
