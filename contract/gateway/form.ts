import { OneOf, Titled, Type } from '../schema.ts';

/** The two versions of the local API. Where they conflict, the setting or the request header X-API-Form decides. */
export const forms = ['later', 'earlier'] as const;
export type Form = (typeof forms)[number];

export const WriteResult = Titled('WriteResult', { status: OneOf(['success']), message: Type.String() });

export const Message = Titled('Message', { message: Type.String() });

/** Limits of requests that probe the local network, shared by all callers. */
export const probesPerMinute = 60;
export const maxParallelProbes = 2;

/** Shared part of routes that probe the local network. */
export const probe = {
  isProbe: true,
  description:
    `Port checks, ad-hoc Modbus reads and detection share a budget of ${probesPerMinute} requests per minute (\`RATE_PROBES\`), ` +
    `shown in the RateLimit headers, and at most ${maxParallelProbes} run at once. Further requests get 429 with Retry-After.`,
} as const;
