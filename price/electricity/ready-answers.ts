import { hash } from 'node:crypto';
import type { ElectricityPrices } from '#contract/price/electricity.ts';
import { RecentMap } from '#lib/recent-map.ts';

/** An answer as text, up to its age, which is the last number in it; and the whole text of the second it was last sent in. */
export type ReadyAnswer = {
  head: string;
  headers: Record<string, string>;
  updatedAt: number;
  writtenAt: number;
  validUntil: number;
  age: number;
  text: string;
};

const tail = '}}';
const most = 125;
const longest = 64_000; // so that all of them together, each held twice, stay at 16 MB

/** Answers that have been written before. */
export class ReadyAnswers {
  readonly #answers = new RecentMap<ReadyAnswer>(most);

  find(key: string, now: number): ReadyAnswer | undefined {
    const ready = this.#answers.get(key);
    return ready && now >= ready.writtenAt && now < ready.validUntil ? ready : undefined; // a clock may be set back
  }

  keep(key: string, ready: ReadyAnswer): void {
    if (ready.head.length <= longest) this.#answers.set(key, ready);
  }
}

/** The tag is weak and does not cover the age: the prices are the same a second later. */
export function writeAnswer(answer: ElectricityPrices, writtenAt: number, validUntil: number): ReadyAnswer {
  const { age: _, ...metadata } = answer.metadata;
  const text = JSON.stringify({ ...answer, metadata });
  const head = `${text.slice(0, -tail.length)},"age":`;
  const etag = `W/"${hash('sha1', head, 'base64url')}"`;
  const headers = { 'content-type': 'application/json; charset=utf-8', etag };
  return { head, headers, updatedAt: Date.parse(metadata.last_updated), writtenAt, validUntil, age: -1, text: '' };
}

export function textAt(ready: ReadyAnswer, now: number): string {
  const age = Math.max(0, Math.floor((now - ready.updatedAt) / 1000));
  if (age !== ready.age) {
    ready.age = age;
    ready.text = `${ready.head}${age}${tail}`;
  }
  return ready.text;
}
