import { LinkError } from '../link-error.ts';
import type { ByteLine } from '../serial-line.ts';
import { BusConnection } from './bus-connection.ts';
import { type Framing, type ModbusRequest, readAnswer } from './pdu.ts';
import { LinkBusy, ModbusException, Unanswered } from './unit.ts';

export type BusCounters = Bus['counters'];

type Job = {
  unit: number;
  request: ModbusRequest<unknown>;
  /** has to be answered before the request */
  ahead?: ModbusRequest<unknown> | undefined;
  /** how often the request is still repeated when the device is busy */
  repeatsLeft: number;
  refusal?: ModbusException;
  /** deadline in ms, from the first time it was sent */
  until?: number | undefined;
  isRepeated?: true;
  /** its deadline was extended because this process was suspended */
  isExtended?: true;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
};

const timeoutMs = 1000; // for a request with all its repetitions on one connection
const suspendedMs = 200; // a timer that fires later than this was delayed by this process, not by the device
const writeGapMs = 50; // pause that devices need between two writes
const busyCodes = [5, 6];
const busyPauseMs = 100;
const maxQueued = 256;
const maxUnansweredInARow = 3;
const maxBytesPerRequest = 4096; // an answer has at most 260; echoes and late answers add to it

/** One TCP endpoint or serial line. Sends requests one by one, urgent ones first. */
export class Bus {
  readonly counters = { requests: 0, timeouts: 0, lateAnswers: 0, exceptions: 0, reconnects: 0 };
  readonly connection: BusConnection;
  readonly #name: string;
  readonly #framing: Framing;
  #urgent: Job[] = [];
  #ordinary: Job[] = [];
  #current: Job | undefined;
  #isAsked = false;
  #opening: Promise<void> | undefined;
  #isClosed = false;
  #deadline: NodeJS.Timeout | undefined;
  #deadlineAt = Number.POSITIVE_INFINITY;
  #pause: NodeJS.Timeout | undefined;
  #look: NodeJS.Immediate | undefined;
  #lastByteAt = Number.NEGATIVE_INFINITY;
  #lastWriteAt = Number.NEGATIVE_INFINITY;
  #bytes = 0;
  #unansweredInARow = 0;

  constructor(name: string, framing: Framing, open: () => Promise<ByteLine>) {
    this.#name = name;
    this.#framing = framing;
    this.connection = new BusConnection({
      open,
      onData: (bytes) => this.#take(bytes),
      onLost: (cause) => this.#lost(cause),
    });
  }

  request<Answer>(unit: number, request: ModbusRequest<Answer>, isUrgent: boolean): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new LinkError(`${this.#name} is closed.`));
      if (this.#urgent.length + this.#ordinary.length >= maxQueued)
        return reject(new LinkBusy(`${this.#name} is busy: ${maxQueued} requests are queued.`));
      (isUrgent ? this.#urgent : this.#ordinary).push({ unit, request, repeatsLeft: 3, resolve, reject });
      this.#next();
    });
  }

  /** Fails queued requests. Returns when the port is free for others. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#deadline);
    this.#failAll(new LinkError(`${this.#name} was closed.`));
    await Promise.all([this.connection.close(), this.#opening]);
  }

  #next(): void {
    if (this.#current || this.#opening || this.#urgent.length + this.#ordinary.length === 0) return;
    if (!this.connection.line) {
      this.#opening = this.#open();
      return;
    }

    const job = this.#urgent.shift() ?? this.#ordinary.shift();
    if (!job) return;
    this.#current = job;
    job.ahead = this.#framing.ahead(job.unit, job.request);
    const now = performance.now();
    job.until ??= now + timeoutMs + this.#framing.wireMs(job.request.bytes);
    this.#watch(job.until, now);
    if (this.#framing.silenceMs > 0) this.#askAfterLook(job);
    else this.#ask(job);
  }

  async #open(): Promise<void> {
    try {
      await this.connection.open();
      this.counters.reconnects = this.connection.openings - 1;
      this.#framing.restart();
      this.#unansweredInARow = 0;
    } catch (error) {
      this.#failAll(error);
    }
    this.#opening = undefined;
    this.#next();
  }

  #ask(job: Job): void {
    const pauseMs = this.#pauseAhead(job);
    if (pauseMs > 0) {
      this.#askAfter(pauseMs, job);
      return;
    }
    this.#isAsked = true;
    this.#bytes = 0;
    this.counters.requests++;
    this.connection.line?.write(this.#framing.ask(job.unit, job.ahead ?? job.request));
  }

  #askAfter(pauseMs: number, job: Job): void {
    this.#pause = setTimeout(() => this.#askAfterLook(job), pauseMs);
  }

  /** Sends after pending input was read: bytes that arrived while this process was busy mean the line was not silent. */
  #askAfterLook(job: Job): void {
    this.#look = setImmediate(() => this.#ask(job));
  }

  #pauseAhead({ ahead, request }: Job): number {
    const isWrite = !ahead && request.isWrite;
    const { silenceMs } = this.#framing;
    if (!isWrite && silenceMs === 0) return 0;
    const untilMs = Math.max(this.#lastByteAt + silenceMs, isWrite ? this.#lastWriteAt + writeGapMs : 0);
    return untilMs - performance.now();
  }

  #take(bytes: Uint8Array): void {
    if (this.#framing.silenceMs > 0) this.#lastByteAt = performance.now();
    this.#bytes += bytes.length;
    try {
      if (this.#bytes > maxBytesPerRequest) throw new LinkError(`${this.#name} sends far more than was asked for.`);
      this.#framing.take(bytes, this);
    } catch (error) {
      // Nothing that follows on this connection can be trusted.
      this.connection.drop();
      this.#fail(error);
    }
    this.#next();
  }

  onAnswer(bytes: Uint8Array, at: number, end: number): void {
    const job = this.#current;
    if (!job) return;
    const answer = readAnswer(job.ahead ?? job.request, bytes, at, end);
    this.#framing.settle('answered');
    this.#isAsked = false;
    this.#unansweredInARow = 0;
    const isRefused = answer instanceof ModbusException;
    if (isRefused) this.counters.exceptions++;
    if (job.ahead) {
      job.ahead = undefined;
      this.#ask(job);
    } else if (isRefused) this.#refused(job, answer);
    else this.#finish(job).resolve(answer);
  }

  onStray(): void {
    this.counters.lateAnswers++;
  }

  #refused(job: Job, refusal: ModbusException): void {
    job.refusal = refusal;
    if (busyCodes.includes(refusal.code) && job.repeatsLeft-- > 0) this.#askAfter(busyPauseMs, job);
    else this.#finish(job).reject(refusal);
  }

  /** Uses one timer for many requests: one per request would add a sixth to the cost of a request. */
  #watch(until: number, now: number): void {
    if (this.#deadlineAt <= until) return;
    clearTimeout(this.#deadline);
    this.#deadlineAt = until;
    this.#deadline = setTimeout(() => {
      this.#deadlineAt = Number.POSITIVE_INFINITY;
      const job = this.#current;
      const then = performance.now();
      if (job && then - until > suspendedMs && !job.isExtended) this.#extend(job, then);
      if (job?.until !== undefined && job.until > then) this.#watch(job.until, then);
      else if (job) this.#late(job);
    }, until - now);
  }

  /** Allows for an answer that was received but not yet processed. */
  #extend(job: Job, now: number): void {
    job.isExtended = true;
    job.until = Math.max(job.until ?? 0, now + suspendedMs);
  }

  #late(job: Job): void {
    if (this.#isAsked) {
      this.counters.timeouts++;
      this.#framing.settle('unanswered');
      if (++this.#unansweredInARow >= maxUnansweredInARow || this.#framing.isCut) this.connection.drop();
      this.#finish(job).reject(
        new Unanswered(`Unit ${job.unit} at ${this.#name} did not answer within ${timeoutMs} ms.`),
      );
    } else {
      this.#finish(job).reject(
        job.refusal ?? new LinkError(`${this.#name} is never silent for long enough to send a request.`),
      );
    }
    this.#next();
  }

  #lost(cause?: Error): void {
    const job = this.#current;
    // The device closed the connection before it received this read, so the read is repeated once.
    if (job && !job.isRepeated && !job.request.isWrite && this.#bytes === 0) {
      this.#framing.settle('unanswered');
      job.isRepeated = true;
      job.until = undefined; // connecting may take longer than an answer
      this.#urgent.unshift(this.#finish(job));
    } else {
      this.#fail(new LinkError(`The connection to ${this.#name} was lost.`, cause && { cause }));
    }
    this.#next();
  }

  #fail(error: unknown): void {
    this.#framing.settle('unanswered');
    if (this.#current) this.#finish(this.#current).reject(error);
  }

  #failAll(error: unknown): void {
    this.#fail(error);
    for (const job of [...this.#urgent.splice(0), ...this.#ordinary.splice(0)]) job.reject(error);
  }

  #finish(job: Job): Job {
    clearTimeout(this.#pause);
    clearImmediate(this.#look);
    if (job.request.isWrite) this.#lastWriteAt = performance.now();
    this.#current = undefined;
    this.#isAsked = false;
    return job;
  }
}
