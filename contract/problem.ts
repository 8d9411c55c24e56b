import type { Static } from 'typebox';
import { Type } from './schema.ts';
import { OneOf } from './text.ts';

/** Every way the platform says no: code, status, title. A problem's status follows from its code. */
const problems = {
  invalid_request: [400, 'The request is malformed'],
  unauthenticated: [401, 'A valid access token is needed'],
  challenge_invalid: [401, 'The challenge cannot be used'],
  signature_invalid: [401, 'The signature does not match'],
  identity_unknown: [401, 'The key is not registered'],
  forbidden: [403, 'Not allowed'],
  local_token_required: [403, 'The local token of the gateway is needed'],
  identity_type_reserved: [403, 'This identity type is made on the server'],
  claim_refused: [403, 'The claim is refused'],
  claim_expired: [403, 'The claim is too old or too new'],
  claim_replayed: [403, 'The claim was used before'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  request_timeout: [408, 'The request came too slowly'],
  conflict: [409, 'Conflict'],
  quota_exceeded: [409, 'A quota is used up'],
  control_unconfirmed: [409, 'Control of this device is not confirmed'],
  gone: [410, 'No longer available'],
  precondition_failed: [412, 'The resource has changed'],
  payload_too_large: [413, 'The request body is too large'],
  unsupported_media_type: [415, 'The request body must be JSON'],
  expectation_failed: [417, 'The expectation is not supported'],
  misdirected: [421, 'This host name is not ours'],
  unprocessable: [422, 'The request is against a rule'],
  idempotency_key_reused: [422, 'The idempotency key was used for another request'],
  rate_limited: [429, 'Too many requests'],
  headers_too_large: [431, 'The headers are too large'],
  internal_error: [500, 'Something went wrong on the server'],
  device_failed: [500, 'The device did not do it'],
  storage_failed: [500, 'The change could not be kept'],
  not_implemented: [501, 'Not implemented'],
  upstream_failed: [502, 'The other side failed'],
  unavailable: [503, 'Temporarily unavailable'],
  device_unreachable: [503, 'The device cannot be reached'],
  device_busy: [503, 'The device is busy'],
  insufficient_memory: [503, 'Not enough memory'],
  http_version_unsupported: [505, 'The HTTP version is not supported'],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemCode = keyof typeof problems;

export const problemCodes = Object.keys(problems) as ProblemCode[];

export const statusOf = (code: ProblemCode): number => problems[code][0];

export const titleOf = (code: ProblemCode): string => problems[code][1];

const FieldError = Type.Object({
  path: Type.String({ description: 'where the mistake is, for example body.ders.0.type' }),
  message: Type.String(),
});
export type FieldError = Static<typeof FieldError>;

/** The body of every error answer (RFC 9457). */
export const ProblemBody = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    error: OneOf(problemCodes),
    message: Type.String({ description: 'the same as detail' }),
    request_id: Type.String(),
    errors: Type.Optional(Type.Array(FieldError)),
  },
  { title: 'Problem' },
);
export type ProblemBody = Static<typeof ProblemBody>;

export type ProblemDetails = { errors?: FieldError[]; retryAfterSeconds?: number };

/** What a caller can cause or act on. Everything else that is thrown leaves as internal_error, without its text. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly details: ProblemDetails;

  constructor(code: ProblemCode, sentence: string, details: ProblemDetails = {}, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'Problem';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return statusOf(this.code);
  }
}

/** A mistake as people read it; some messages are sentences of their own. */
export const fieldWords = ({ path, message }: FieldError): string => `${path}: ${message.replace(/\.$/, '')}`;

/** A Problem about fields of a request or a file. */
export const fieldsProblem = (code: ProblemCode, errors: FieldError[], options?: ErrorOptions): Problem =>
  new Problem(code, `${errors.map(fieldWords).join('; ')}.`, { errors }, options);

export const fieldProblem = (code: ProblemCode, path: string, message: string, options?: ErrorOptions): Problem =>
  fieldsProblem(code, [{ path, message }], options);

/** The body of every error answer of a gateway. */
export const LocalError = Type.Object(
  { status: OneOf(['error']), error: OneOf(problemCodes), message: Type.String() },
  { title: 'Error' },
);
export type LocalError = Static<typeof LocalError>;

export const localError = ({ code, message }: Problem): LocalError => ({ status: 'error', error: code, message });

/** The body of every error answer of OAuth (RFC 6749, 5.2). */
export const OAuthError = Type.Object(
  { error: Type.String(), error_description: Type.String() },
  { title: 'OAuthError' },
);
export type OAuthError = Static<typeof OAuthError>;

const oauthCodes: Partial<Record<ProblemCode, string>> = {
  unauthenticated: 'invalid_token',
  forbidden: 'access_denied',
  rate_limited: 'temporarily_unavailable',
  unavailable: 'temporarily_unavailable',
  internal_error: 'server_error',
};

export const oauthError = ({ code, message }: Problem): OAuthError => ({
  error: oauthCodes[code] ?? 'invalid_request',
  error_description: message,
});

export function problemBody(problem: Problem, requestId: string): ProblemBody {
  const { errors } = problem.details;
  return {
    type: `urn:ohmstead:problem:${problem.code}`,
    title: titleOf(problem.code),
    status: problem.status,
    detail: problem.message,
    error: problem.code,
    message: problem.message,
    request_id: requestId,
    ...(errors && { errors }),
  };
}
