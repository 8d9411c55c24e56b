import type { FastifyError, FastifyInstance } from 'fastify';
import { validationProblem } from '#lib/http/problem.ts';

/** Here a value that does not fit is 422; a field that nobody knows stays 400. */
export function refuseValues(scope: FastifyInstance): void {
  scope.setErrorHandler((error: FastifyError) => {
    throw isAboutValues(error) ? validationProblem('unprocessable', error) : error; // on to the handler of the server
  });
}

const isAboutValues = ({ validation }: FastifyError): boolean =>
  validation?.every(({ keyword }) => keyword !== 'additionalProperties') ?? false;
