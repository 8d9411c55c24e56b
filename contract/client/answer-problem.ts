import { type FieldError, Problem, type ProblemCode, problemCodes, statusOf } from '../problem.ts';

/** A ProblemBody, a LocalError or an OAuthError. */
type Said = { error?: string; detail?: string; message?: string; error_description?: string; errors?: FieldError[] };

/** An answer that is no success, as the Problem it means. */
export async function answerProblem(answer: Response, url: string): Promise<Problem> {
  const type = answer.headers.get('content-type')?.split(';', 1)[0] ?? 'no type';
  const retryAfterSeconds = Number(answer.headers.get('retry-after'));
  const details = retryAfterSeconds > 0 ? { retryAfterSeconds } : {};
  const body = type.endsWith('json') ? ((await answer.json()) as Said | null) : undefined;
  if (typeof body?.error !== 'string') {
    const sentence = `${url} answered ${answer.status} (${type}), which this client does not know.`;
    return new Problem(answer.status < 502 ? codeOf(answer.status) : 'unavailable', sentence, details);
  }
  const { error, detail, message, error_description, errors } = body;
  const code = problemCodes.find((known) => known === error) ?? codeOf(answer.status);
  return new Problem(code, detail ?? message ?? error_description ?? error, { ...(errors && { errors }), ...details });
}

// A newer server may have codes that this client has not heard of; the status is known.
const codeOf = (status: number): ProblemCode =>
  problemCodes.find((known) => statusOf(known) === status) ??
  (status >= 400 && status < 500 ? 'invalid_request' : 'unavailable');

/** Whatever went wrong on the way; a Problem is already what it should be. */
export function unreachable(url: string, error: unknown): Problem {
  if (error instanceof Problem) return error;
  const sentence =
    error instanceof SyntaxError ? `${url} answered with something else than JSON.` : `${url} cannot be reached.`;
  return new Problem('unavailable', sentence, {}, { cause: error });
}
