import type { ErrorObject } from 'ajv';
import type { FastifyError, FastifyInstance } from 'fastify';
import { Problem } from '#contract/problem.ts';
import { fieldErrors } from '#lib/http/validate.ts';

/** Here a value that does not fit is 422; a field that nobody knows stays 400. */
export function refuseValues(scope: FastifyInstance): void {
  scope.setErrorHandler((error: FastifyError) => {
    throw isAboutValues(error) ? unprocessable(error) : error; // on to the handler of the server
  });
}

const isAboutValues = ({ validation }: FastifyError): boolean =>
  validation?.every(({ keyword }) => keyword !== 'additionalProperties') ?? false;

function unprocessable({ validation, validationContext }: FastifyError): Problem {
  const part = validationContext === 'querystring' ? 'query' : (validationContext ?? 'body');
  const errors = fieldErrors(part, validation as ErrorObject[]);
  const sentence = errors.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new Problem('unprocessable', `${sentence}.`, { errors });
}
