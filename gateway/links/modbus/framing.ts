import type { Request } from './pdu.ts';

/** What turns up in the bytes of a line. */
export type Findings = {
  /** the answer to what was asked, without its frame; the bytes are valid during the call */
  onAnswer(bytes: Uint8Array, at: number, end: number): void;
  /** an answer that nobody waits for, or not any longer */
  onStray(): void;
};

/** How requests and answers are told apart on a line. One request is asked at a time. */
export type Framing = {
  /** pause that the line needs ahead of a request */
  readonly silenceMs: number;
  /** time that so many bytes need on the wire */
  wireMs(bytes: number): number;
  /** What must be answered first, so that the answer to this request cannot be mistaken. */
  ahead(unit: number, request: Request<unknown>): Request<unknown> | undefined;
  /** The frame of a request, valid until the next one; from now on its answer is looked for. */
  ask(unit: number, request: Request<unknown>): Uint8Array;
  /** Throws a LinkError at bytes after which nothing on this connection can be trusted. */
  take(bytes: Uint8Array, findings: Findings): void;
  /** Nobody waits for the answer any more. */
  settle(how: 'answered' | 'unanswered'): void;
  /** whether part of a frame is there, whose rest would be mixed with what comes next */
  readonly isCut: boolean;
  /** The connection is a new one. */
  restart(): void;
};
