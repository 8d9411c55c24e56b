import type { Form } from '#contract/gateway/form.ts';
import { logTopic } from '#contract/topics.ts';
import type { Session } from './session.ts';

// 1 ERROR, 2 WARN, 3 OK, 4 INFO, 5 DEBUG, 6 VERBOSE. Nothing is logged as OK.
const levelOf: Record<string, number> = { fatal: 1, error: 1, warn: 2, info: 4, debug: 5, trace: 6 };

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
  setting: LogStreamSetting = { enabled: false, level: 4, form: 'later' };
  private readonly serial: string;
  private session: Session | undefined;
  private timer: NodeJS.Timeout | undefined;
  private waiting: string[] = [];
  private dropped = 0;

  constructor(serial: string) {
    this.serial = serial;
  }

  set(setting: LogStreamSetting): void {
    this.setting = setting;
    if (!setting.enabled) this.waiting = [];
  }

  write(line: string): void {
    const { enabled, level } = this.setting;
    if (!enabled || (levelOf[/"level":"(\w+)"/.exec(line)?.[1] ?? ''] ?? 6) > level) return;
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
