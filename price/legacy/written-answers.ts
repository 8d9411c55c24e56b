import { hash } from 'node:crypto';
import { Answer } from '#lib/http/mount.ts';
import { RecentMap } from '#lib/recent-map.ts';
import type { PriceDay } from '../electricity/prices.ts';
import type { Question } from '../electricity/question.ts';

export type Written = { text: string; headers: Record<string, string> };

const mostKept = 200; // two days of quarter-hours are 20 kB of XML

/** Answers that have been written before: the same as long as the question and the days it is answered from are. */
export function createWrittenAnswers() {
  const kept = new RecentMap<{ days: readonly PriceDay[]; answer: Answer<never> }>(mostKept);
  return {
    async of(
      { name, resolution }: Question,
      form: string,
      days: readonly PriceDay[],
      write: () => Written | Promise<Written>,
    ): Promise<Answer<never>> {
      const key = `${name} ${resolution} ${form} ${days[0]!.source}`;
      const known = kept.get(key);
      if (known?.days.length === days.length && known.days.every((day, n) => day === days[n])) return known.answer;
      const { text, headers } = await write();
      const etag = `"${hash('sha1', text, 'base64url')}"`;
      const answer = new Answer(200, text as never, { ...headers, etag });
      kept.set(key, { days, answer });
      return answer;
    },
  };
}
