import { routesOf } from '../route.ts';
import { CountsOf, OneOf, type Static, Titled, Type, texts } from '../schema.ts';

const tag = 'System';
const local = routesOf({ tag, access: 'local' });
const guarded = routesOf({ tag, access: 'guarded' }, local.all);

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
  broker: Type.Optional(
    Type.String({ description: 'the broker in use, else the first configured one, without its password' }),
  ),
  waiting: Type.Integer({ description: 'samples in the outbox that the platform has not acknowledged' }),
  bytes: Type.Integer({ description: 'size of the outbox on disk' }),
  oldest: Type.Optional(Type.Integer({ description: 'ms; timestamp of the oldest sample' })),
  acknowledged: Type.Optional(
    Type.Object(
      { seq: Type.Integer(), at: Type.Integer({ description: 'ms' }) },
      { description: 'the last acknowledgement' },
    ),
  ),
  dropped: CountsOf(dropReasons, { description: 'dropped samples by reason' }),
  thinned: Type.Integer({ description: 'samples that were reduced to one-minute means' }),
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
  ...texts('sn', 'subject'),
  power_w: Type.Number(),
  message: Type.String(),
  at: Type.Integer({ description: 'ms' }),
});

export const Status = Titled('Status', {
  uplink: UplinkStatus,
  claimed: Type.Boolean({
    description:
      'whether a platform has claimed this gateway; changing its broker and a factory reset then need the local token',
  }),
  cloud_url: Type.Optional(Type.String({ description: 'address of the platform whose page may ask for a signature' })),
  control: Type.Array(ControlStatus),
  refused: Type.Array(Refused, {
    description: 'the last failed local command of each device, until the next one succeeds',
  }),
});
export type Status = Static<typeof Status>;

export const getStatus = local.get('/api/status', 'Get the status of the uplink and of controlled devices', {
  replies: { 200: Status },
});

export const getLog = guarded.get('/api/logs', 'Get the last lines of the log, newest last', {
  replies: { 200: Type.Object({ lines: Type.Array(Type.String()) }) },
});

export const statusRoutes = local.all;
