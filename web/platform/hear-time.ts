import { clockDifference } from '../parts/clock-difference.ts';
import { browserTime, correctTime } from '../parts/now.ts';

let aheadMs = 0;

/** Asks the platform, and sets the clock of the pages by its answer. */
export const fetchAndHearTime: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  aheadMs = clockDifference(answer.headers.get('date'), browserTime(), aheadMs);
  correctTime(aheadMs);
  return answer;
};
