import { Problem } from '#contract/problem.ts';
import { PageProblem } from '../parts/problem-words.ts';

type Words<Code extends string> = {
  (code: Code, values?: Record<string, string>): string;
  has(name: string): name is Code;
};

/** Returns a problem with the words that a page has for its code; any other problem stays as it is. */
export function explain<Code extends string>(problem: unknown, words: Words<Code>, values?: Record<string, string>) {
  if (!(problem instanceof Problem)) return problem;
  const { code, details } = problem;
  return words.has(code) ? new PageProblem(code, words(code, values), details, { cause: problem }) : problem;
}

/** Waits for a request and explains its failure. */
export const explaining = <Answer, Code extends string>(
  request: Promise<Answer>,
  words: Words<Code>,
  values?: Record<string, string>,
): Promise<Answer> =>
  request.catch((problem: unknown) => {
    throw explain(problem, words, values);
  });
