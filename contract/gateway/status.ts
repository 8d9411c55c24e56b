import type { Static } from 'typebox';
import { route } from '../route.ts';
import { Type } from '../schema.ts';
import { CountsOf, OneOf } from '../text.ts';

const tag = 'System';

/** Why samples were given up. */
export const dropReasons = [
  'too_old',
  'outbox_full',
  'disk_full',
  'unwritten',
  'damaged',
  'undatable',
  'no_number',
] as const;
export type DropReason = (typeof dropReasons)[number];

const UplinkStatus = Type.Object({
  connected: Type.Boolean(),
  broker: Type.Optional(Type.String({ description: 'in use, or else the first choice, without its password' })),
  waiting: Type.Integer({ description: 'samples on disk that the platform has not acknowledged' }),
  bytes: Type.Integer({ description: 'what they take on disk' }),
  oldest: Type.Optional(Type.Integer({ description: 'ms; the oldest of them' })),
  acknowledged: Type.Optional(
    Type.Object({ seq: Type.Integer(), at: Type.Integer({ description: 'ms' }) }, { description: 'the last one' }),
  ),
  dropped: CountsOf(dropReasons, { description: 'samples that were given up, by reason' }),
  thinned: Type.Integer({ description: 'samples that became means of a minute' }),
});

const ControlStatus = Type.Object({
  sn: Type.String(),
  state: OneOf(['held', 'releasing']),
  fault: Type.Optional(Type.String()),
  held: Type.Array(
    Type.Object({
      subject: Type.String(),
      power_w: Type.Number(),
      origin: Type.String(),
      ends_in_s: Type.Integer(),
    }),
  ),
});

const Refused = Type.Object({
  sn: Type.String(),
  subject: Type.String(),
  power_w: Type.Number(),
  message: Type.String(),
  at: Type.Integer({ description: 'ms' }),
});

export const Status = Type.Object(
  {
    uplink: UplinkStatus,
    claimed: Type.Boolean({
      description: 'a platform knows this gateway; changing its broker and a factory reset need the local token',
    }),
    control: Type.Array(ControlStatus),
    refused: Type.Array(Refused, {
      description: 'of each device the last local command that could not be carried out, until the next one',
    }),
  },
  { title: 'Status' },
);
export type Status = Static<typeof Status>;

export const getStatus = route({
  method: 'GET',
  path: '/api/status',
  tag,
  summary: 'What waits for the platform, and which devices are under control',
  access: 'local',
  replies: { 200: Status },
});

export const getLog = route({
  method: 'GET',
  path: '/api/logs',
  tag,
  summary: 'The last lines of the log, newest last',
  access: 'guarded',
  replies: { 200: Type.Object({ lines: Type.Array(Type.String()) }) },
});

export const statusRoutes = [getStatus, getLog];
