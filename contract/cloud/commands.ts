import { may } from '../access.ts';
import { defaultLeaseS, maxCommandW, maxLeaseS } from '../command.ts';
import { routesOf } from '../route.ts';
import { OneOf, pagesOf, type Static, Timestamp, Titled, Type, texts } from '../schema.ts';
import { gatewayAway, Order } from './orders.ts';

const api = routesOf({ tag: 'Commands' });
const control = routesOf({ tag: 'Commands', scope: 'control:ders', budget: 'control', creates: true }, api.all);

export const commandStatuses = ['queued', 'sent', 'applied', 'failed', 'expired', 'released'] as const;
export type CommandStatus = (typeof commandStatuses)[number];

const Step = Type.Object({
  status: OneOf(commandStatuses),
  at: Timestamp,
  message: Type.Optional(Type.String()),
});

export const Command = Titled('Command', {
  ...texts('id', 'der_id'),
  power_w: Type.Number(),
  ttl_s: Type.Integer(),
  status: OneOf(commandStatuses),
  created_at: Timestamp,
  expires_at: Timestamp,
  history: Type.Array(Step),
  created_by: Type.Optional(Type.String({ description: 'identity id of the person who sent it' })),
  created_by_name: Type.Optional(Type.String({ description: 'not shown to applications, nor in streams' })),
  order_id: Type.Optional(Type.String({ description: 'the order that it is a lease of' })),
});
export type Command = Static<typeof Command>;

/** A released DER, with the command that controlled it and the order that this ended, if any. */
export const Release = Titled('Release', {
  der_id: Type.String(),
  command: Type.Optional(Command),
  order: Type.Optional(Order),
});
export type Release = Static<typeof Release>;

export const createCommand = control.post('/ders/{der_id}/commands', 'Send a command to a DER', {
  description:
    'Controls a battery or charger, or curtails solar generation. Positive power charges, negative power discharges; for solar ' +
    'it is the maximum generation. The command ends after ttl_s unless another one is sent. It replaces an order for the DER. ' +
    `If the gateway is offline, the step sent has the message "${gatewayAway}" The command is not sent again.`,
  access: may('control', 'der', 'params.der_id'),
  body: Type.Object({
    power_w: Type.Number({ minimum: -maxCommandW, maximum: maxCommandW }),
    ttl_s: Type.Optional(Type.Integer({ minimum: 1, maximum: maxLeaseS, default: defaultLeaseS })),
  }),
  replies: { 202: Command },
  problems: ['unprocessable', 'conflict', 'unavailable'],
});

export const listCommands = api.get('/ders/{der_id}/commands', 'List the commands of a DER, newest first', {
  access: may('read', 'der', 'params.der_id'),
  scope: 'read:telemetry',
  ...pagesOf(Command),
});

const letGo =
  'A connected gateway returns the device to automatic mode. Commands given locally at the gateway stay in force.';

export const releaseDer = control.post('/ders/{der_id}/release', 'Return a DER to automatic mode', {
  description: letGo,
  access: may('control', 'der', 'params.der_id'),
  replies: { 202: Release },
  problems: ['unprocessable', 'conflict', 'unavailable'],
});

export const releaseSite = control.post('/sites/{site_id}/release', 'Return all DERs of a site to automatic mode', {
  description: letGo,
  access: may('control', 'site', 'params.site_id'),
  replies: { 202: Type.Array(Release) },
  problems: ['unavailable'],
});

export const commandRoutes = api.all;

export const underWay: readonly CommandStatus[] = ['queued', 'sent', 'applied'];
export const ended: readonly CommandStatus[] = ['failed', 'expired', 'released'];

type CommandProgress = Pick<Command, 'status' | 'history'>;

export const wasApplied = ({ history }: CommandProgress): boolean => history.some(({ status }) => status === 'applied');

/** Message of a command that a newer one replaced. */
export const replacedWords = 'A newer command replaced it.';

export const wasReplaced = ({ history }: CommandProgress): boolean =>
  history.some(({ message }) => message === replacedWords);

/** Whether the gateway was offline when a command was sent; commands are not sent again. */
export const isUndelivered = ({ status, history }: CommandProgress): boolean =>
  status === 'sent' && history.at(-1)?.message === gatewayAway;

/** Returns the command that a DER follows or is about to follow, from its commands with the newest first. */
export function heldCommand<C extends CommandProgress>(newestFirst: readonly C[]): C | undefined {
  const latest = newestFirst.find((command) => underWay.includes(command.status) || wasApplied(command));
  // An applied command replaced all earlier ones, even if it has ended.
  return latest && underWay.includes(latest.status) ? latest : undefined;
}
