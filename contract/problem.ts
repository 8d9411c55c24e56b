import { keysOf, OneOf, type Static, Titled, Type, texts } from './schema.ts';

/** All problems: code, status and title. The code determines the status. */
const problems = {
  invalid_request: [400, 'Malformed request'],
  unauthenticated: [401, 'A valid access token is required'],
  challenge_invalid: [401, 'Invalid challenge'],
  signature_invalid: [401, 'Invalid signature'],
  identity_unknown: [401, 'Unknown key'],
  forbidden: [403, 'Not allowed'],
  local_token_required: [403, 'The local token of the gateway is required'],
  identity_type_reserved: [403, 'This identity type can only be created on the server'],
  claim_refused: [403, 'Claim refused'],
  claim_expired: [403, 'Claim expired or not yet valid'],
  claim_replayed: [403, 'Claim already used'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  request_timeout: [408, 'Request timeout'],
  conflict: [409, 'Conflict'],
  quota_exceeded: [409, 'Quota exceeded'],
  gateway_offline: [409, 'The gateway is not connected'],
  management_refused: [409, 'The gateway refuses remote management'],
  control_unconfirmed: [409, 'Control of this device is unconfirmed'],
  gone: [410, 'No longer available'],
  precondition_failed: [412, 'The resource has changed'],
  payload_too_large: [413, 'Request body too large'],
  unsupported_media_type: [415, 'Unsupported media type'],
  expectation_failed: [417, 'Expectation not supported'],
  misdirected: [421, 'Unknown host name'],
  unprocessable: [422, 'Unprocessable request'],
  idempotency_key_reused: [422, 'Idempotency key already used for another request'],
  rate_limited: [429, 'Too many requests'],
  headers_too_large: [431, 'Request headers too large'],
  internal_error: [500, 'Internal server error'],
  device_failed: [500, 'The device failed to execute the request'],
  storage_failed: [500, 'Failed to save the change'],
  not_implemented: [501, 'Not implemented'],
  upstream_failed: [502, 'Upstream request failed'],
  unavailable: [503, 'Temporarily unavailable'],
  device_unreachable: [503, 'Device unreachable'],
  device_busy: [503, 'Device busy'],
  insufficient_memory: [503, 'Not enough memory'],
  gateway_unanswered: [504, 'The gateway did not answer'],
  http_version_unsupported: [505, 'HTTP version not supported'],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemCode = keyof typeof problems;

export const problemCodes: readonly ProblemCode[] = keysOf(problems);

export const statusOf = (code: ProblemCode): number => problems[code][0];

export const titleOf = (code: ProblemCode): string => problems[code][1];

const FieldError = Type.Object({
  path: Type.String({ description: 'location of the error, for example body.ders.0.type' }),
  message: Type.String(),
});
export type FieldError = Static<typeof FieldError>;

/** Body of error responses (RFC 9457). */
export const ProblemBody = Titled('Problem', {
  ...texts('type', 'title'),
  status: Type.Integer(),
  detail: Type.String(),
  error: OneOf(problemCodes),
  message: Type.String({ description: 'the same as detail' }),
  request_id: Type.String(),
  errors: Type.Optional(Type.Array(FieldError)),
});
export type ProblemBody = Static<typeof ProblemBody>;

export type ProblemDetails = { errors?: FieldError[]; retryAfterSeconds?: number };

/** An error that a caller can cause or act on. Any other error is sent as internal_error, without its message. */
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

/** Returns a handler for `catch` that throws this Problem. */
export const orProblem =
  (code: ProblemCode, sentence: string) =>
  (cause: unknown): never => {
    throw new Problem(code, sentence, {}, { cause });
  };

export const fieldWords = ({ path, message }: FieldError): string => `${path}: ${message.replace(/\.$/, '')}`;

export const fieldsProblem = (code: ProblemCode, errors: FieldError[], options?: ErrorOptions): Problem =>
  new Problem(code, `${errors.map(fieldWords).join('; ')}.`, { errors }, options);

export const fieldProblem = (code: ProblemCode, path: string, message: string, options?: ErrorOptions): Problem =>
  fieldsProblem(code, [{ path, message }], options);

export const LocalError = Titled('Error', {
  status: OneOf(['error']),
  error: OneOf(problemCodes),
  message: Type.String(),
});
export type LocalError = Static<typeof LocalError>;

export const localError = ({ code, message }: Problem): LocalError => ({ status: 'error', error: code, message });

/** Body of OAuth error responses (RFC 6749, 5.2). */
export const OAuthError = Titled('OAuthError', { error: Type.String(), error_description: Type.String() });
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
