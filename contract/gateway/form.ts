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

export const OfDevice = Type.Object({ sn: Sn });

/** What most writes answer. */
export const Said = Type.Object({ status: OneOf(['success']), message: Type.String() }, { title: 'Said' });

export const Message = Type.Object({ message: Type.String() }, { title: 'Message' });
