import { type Static, Type } from 'typebox';
import { may } from '../access.ts';
import { route } from '../route.ts';
import { OneOf, Page, Timestamp } from '../text.ts';

const tag = 'Commands';

export const commandStatuses = ['queued', 'sent', 'applied', 'failed', 'expired', 'released'] as const;
export type CommandStatus = (typeof commandStatuses)[number];

const Step = Type.Object({
  status: OneOf(commandStatuses),
  at: Timestamp,
  message: Type.Optional(Type.String()),
});

export const Command = Type.Object(
  {
    id: Type.String(),
    der_id: Type.String(),
    power_w: Type.Number(),
    ttl_s: Type.Integer(),
    status: OneOf(commandStatuses),
    created_at: Timestamp,
    expires_at: Timestamp,
    history: Type.Array(Step),
  },
  { title: 'Command' },
);
export type Command = Static<typeof Command>;

export const createCommand = route({
  method: 'POST',
  path: '/ders/{der_id}/commands',
  tag,
  summary: 'Command a battery, a charger or the curtailment of solar power',
  description:
    'Positive power charges, negative discharges; for solar it is the most that may be generated. The effect ends after ' +
    'ttl_s unless it is commanded again.',
  access: may('control', 'der', 'params.der_id'),
  body: Type.Object({
    power_w: Type.Number({ minimum: -1e7, maximum: 1e7 }),
    ttl_s: Type.Optional(Type.Integer({ minimum: 1, maximum: 3600, default: 300 })),
  }),
  replies: { 202: Command },
  problems: ['unprocessable', 'conflict'],
  budget: 'control',
  creates: true,
});

export const listCommands = route({
  method: 'GET',
  path: '/ders/{der_id}/commands',
  tag,
  summary: 'The commands of a DER, newest first',
  access: may('read', 'der', 'params.der_id'),
  query: Page,
  replies: { 200: Type.Array(Command) },
  paged: true,
});

export const commandRoutes = [createCommand, listCommands];
