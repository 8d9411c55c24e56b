import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorFormat } from '#contract/openapi/responses.ts';
import { fieldsProblem, localError, oauthError, Problem, type ProblemCode, problemBody } from '#contract/problem.ts';
import { JsonError } from '../json.ts';
import { fieldErrors } from './validate.ts';

/** Describes a request that does not match the schema of its route. */
export function validationProblem(code: ProblemCode, { validation = [], validationContext }: FastifyError): Problem {
  const part = validationContext === 'querystring' ? 'query' : (validationContext ?? 'body');
  return fieldsProblem(code, fieldErrors(part, validation));
}

/** Converts an error of Fastify or a parser to a Problem; undefined for an internal error. */
function problemOf(error: FastifyError): Problem | undefined {
  if (error instanceof Problem) return error;
  if (error instanceof JsonError) {
    const path = ['body', ...error.path.split('/').slice(1)].join('.');
    return new Problem('invalid_request', error.message, { errors: [{ path, message: error.message }] });
  }
  if (error.validation) return validationProblem('invalid_request', error);
  switch (error.statusCode) {
    case 413:
      return new Problem('payload_too_large', 'The request body is larger than this service takes.');
    case 415:
      return new Problem('unsupported_media_type', 'Send the body as application/json.');
    case 400:
    case 414:
      return new Problem('invalid_request', error.message);
    default:
      return undefined;
  }
}

export function errorBody(form: ErrorFormat, problem: Problem, requestId: string): object {
  if (form === 'problem') return problemBody(problem, requestId);
  return form === 'local' ? localError(problem) : oauthError(problem);
}

export const errorType = (form: ErrorFormat): string =>
  form === 'problem' ? 'application/problem+json' : 'application/json; charset=utf-8';

type Sender = (thrown: FastifyError, request: FastifyRequest, reply: FastifyReply) => void;

/** Returns an error handler. It logs paths as the server of the request redacts them. */
export const problemSender =
  (form: ErrorFormat): Sender =>
  (thrown, request, reply) => {
    const problem =
      problemOf(thrown) ?? new Problem('internal_error', 'The request failed; the server log has the details.');
    if (problem.status >= 500) {
      const level = thrown instanceof Problem ? 'warn' : 'error';
      const [path = ''] = request.url.split('?', 1); // a query may hold a ticket or a token
      const fields = { reqId: request.id, method: request.method, path: request.server.redactPath(path) };
      request.log[level]({ err: thrown, ...fields }, 'request failed');
    }
    if (problem.details.retryAfterSeconds) reply.header('retry-after', problem.details.retryAfterSeconds);
    if (problem.status === 401 && !reply.hasHeader('www-authenticate')) reply.header('www-authenticate', 'Bearer');
    const body = errorBody(form, problem, request.id);
    reply.code(problem.status).header('content-type', errorType(form)).serializer(String).send(JSON.stringify(body));
  };
