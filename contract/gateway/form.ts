import { Type } from '../schema.ts';
import { OneOf } from '../text.ts';

/** The interface exists in two forms. Where they collide, the setting decides, or the header X-API-Form of a request. */
export const forms = ['later', 'earlier'] as const;
export type Form = (typeof forms)[number];

/** The serial of a device as it stands in a path. */
export const Sn = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[^\\p{Cc}\\p{Cs}]+$',
  description: '1 to 128 characters without control characters',
});

export const DeviceParams = Type.Object({ sn: Sn });

/** What most writes answer. */
export const WriteResult = Type.Object({ status: OneOf(['success']), message: Type.String() }, { title: 'Said' });

export const Message = Type.Object({ message: Type.String() }, { title: 'Message' });

/** Requests that reach out into the local network for the caller, all callers together. */
export const probesPerMinute = 60;
export const maxParallelProbes = 2;

/** What the routes that probe the local network have in common. */
export const probe = {
  isProbe: true,
  description:
    `Port checks, ad-hoc Modbus reads and detection share a budget of ${probesPerMinute} a minute (\`RATE_PROBES\`), ` +
    `shown in the RateLimit headers. At most ${maxParallelProbes} run at once. Beyond that the answer is 429 with Retry-After.`,
} as const;
