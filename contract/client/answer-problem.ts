import { Problem, type ProblemBody, problemCodes, statusOf } from '../problem.ts';

/** An answer that is no success, as the Problem it means. */
export async function answerProblem(answer: Response, url: string): Promise<Problem> {
  const type = answer.headers.get('content-type')?.split(';', 1)[0] ?? 'no type';
  if (type !== 'application/problem+json') {
    return new Problem('unavailable', `${url} answered ${answer.status} (${type}), which this client does not know.`);
  }
  const { error, detail, errors } = (await answer.json()) as ProblemBody;
  // A newer server may have codes that this client has not heard of; the status is known.
  const code =
    problemCodes.find((known) => known === error) ??
    problemCodes.find((known) => statusOf(known) === answer.status) ??
    'unavailable';
  const retryAfterSeconds = Number(answer.headers.get('retry-after'));
  return new Problem(code, detail, { ...(errors && { errors }), ...(retryAfterSeconds > 0 && { retryAfterSeconds }) });
}

/** Whatever went wrong on the way; a Problem is already what it should be. */
export function unreachable(url: string, error: unknown): Problem {
  if (error instanceof Problem) return error;
  const sentence =
    error instanceof SyntaxError ? `${url} answered with something else than JSON.` : `${url} cannot be reached.`;
  return new Problem('unavailable', sentence, {}, { cause: error });
}
