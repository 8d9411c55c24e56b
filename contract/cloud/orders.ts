import { may } from '../access.ts';
import { maxCommandW } from '../command.ts';
import { routesOf } from '../route.ts';
import {
  IntegerIn,
  NumberIn,
  OneOf,
  optional,
  pagesOf,
  type Static,
  Timestamp,
  Titled,
  Type,
  texts,
} from '../schema.ts';

const api = routesOf({ tag: 'Commands' });

/** Longest time that an order may hold a device. An hour of the day is at most 25 hours away, when the clocks are set back. */
export const maxOrderS = 86_400;
export const minOrderS = 60;
export const cheapestStepS = 900;
export const maxOrdersPerSite = 100;

export const orderEnds = ['duration', 'time_of_day', 'state_of_charge', 'cheapest'] as const;
export type OrderEnd = (typeof orderEnds)[number];

/** Why an order ended. */
export const endReasons = ['time', 'target', 'person', 'replaced', 'failed', 'no_access'] as const;
export type EndReason = (typeof endReasons)[number];

/** Message of an order while its gateway is not connected. */
export const gatewayAway = 'The gateway is not connected.';

export const orderStatuses = ['waiting', 'held', 'ended'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const Order = Titled('Order', {
  ...texts('id', 'der_id'),
  power_w: Type.Number(),
  kind: OneOf(orderEnds, { description: 'how its end was given' }),
  target_soc_pct: Type.Optional(Type.Number({ description: 'state of charge that ends it' })),
  status: OneOf(orderStatuses, { description: 'waiting: until starts_at the device is in automatic mode' }),
  starts_at: Timestamp,
  ends_at: Type.String({ format: 'date-time', description: 'at the latest' }),
  created_at: Timestamp,
  created_by: Type.String({ description: 'identity id' }),
  created_by_name: Type.Optional(Type.String({ description: 'not shown to applications' })),
  ended_at: Type.Optional(Timestamp),
  ended_by: Type.Optional(OneOf(endReasons)),
  message: Type.Optional(
    Type.String({ description: 'why it failed, or why the device does not follow it at the moment' }),
  ),
});
export type Order = Static<typeof Order>;

const timeOfDay = (description: string) => Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description });

export const createOrder = api.post('/ders/{der_id}/orders', 'Control a DER for up to a day', {
  description:
    'The platform holds the order and renews the command every few minutes; if the platform or the gateway fails, the device ' +
    'returns to automatic mode within 20 minutes. Give exactly one of for_s, until, until_soc_pct and cheapest_s. A new command ' +
    'or order for the same DER replaces it, and a release ends it.',
  access: may('control', 'der', 'params.der_id'),
  scope: 'control:ders',
  budget: 'control',
  waits: true, // for prices
  body: Type.Object({
    power_w: NumberIn(-maxCommandW, maxCommandW, 'as in a command'),
    ...optional({
      for_s: IntegerIn(minOrderS, maxOrderS, 'duration'),
      until: timeOfDay('the next time that clocks at the site show this, HH:MM'),
      until_soc_pct: NumberIn(1, 100, 'state of charge in percent; ends after a day at the latest'),
      cheapest_s: Type.Integer({
        minimum: cheapestStepS,
        maximum: maxOrderS,
        multipleOf: cheapestStepS,
        description: 'length of the cheapest time for which prices are known',
      }),
      before: timeOfDay('the cheapest time ends by then, local time of the site'),
    }),
  }),
  replies: { 202: Order },
  problems: ['unprocessable', 'conflict', 'quota_exceeded', 'unavailable'],
});

export const listOrders = api.get('/ders/{der_id}/orders', 'List the orders for a DER, newest first', {
  scope: 'read:telemetry',
  access: may('read', 'der', 'params.der_id'),
  ...pagesOf(Order),
});

export const listHeldOrders = api.get('/sites/{site_id}/orders', 'List the orders that wait or are held at a site', {
  scope: 'read:telemetry',
  access: may('read', 'site', 'params.site_id'),
  replies: { 200: Type.Array(Order, { maxItems: maxOrdersPerSite }) },
});

export const orderRoutes = api.all;
