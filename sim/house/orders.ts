/** What a device makes its battery do instead of self-consumption. */
export type BatteryOrder =
  | { battery_W: number }
  /** self-consumption, but never outside these */
  | { min_W: number; max_W: number }
  /** whatever keeps the meter there */
  | { grid_W: number };

/** The part of a house that devices turn. */
export type Controls = {
  /** `untilMs`: when the house returns to self-consumption by itself */
  force(order: BatteryOrder | undefined, untilMs?: number): void;
  /** + charge */
  forceCharger(order: { charger_W: number } | undefined, untilMs?: number): void;
  /** at most this much PV, as a positive number */
  limitPv(limit_W: number | undefined): void;
  /** PV gives way rather than feed in more than this */
  limitExport(limit_W: number | undefined): void;
};

type Held<Order> = { order: Order; untilMs: number };

/** The orders as they were last given, each until its time. */
export function createOrders() {
  let battery: Held<BatteryOrder> | undefined;
  let charger: Held<{ charger_W: number }> | undefined;
  let pv_W = Number.POSITIVE_INFINITY;
  let export_W = Number.POSITIVE_INFINITY;
  const valid = <Order>(held: Held<Order> | undefined, at: number): Order | undefined =>
    held && at < held.untilMs ? held.order : undefined;

  const controls: Controls = {
    force(order, untilMs = Number.POSITIVE_INFINITY) {
      battery = order && { order, untilMs };
    },
    forceCharger(order, untilMs = Number.POSITIVE_INFINITY) {
      charger = order && { order, untilMs };
    },
    limitPv(limit_W = Number.POSITIVE_INFINITY) {
      pv_W = limit_W;
    },
    limitExport(limit_W = Number.POSITIVE_INFINITY) {
      export_W = limit_W;
    },
  };
  return {
    controls,
    battery: (at: number) => valid(battery, at),
    charger: (at: number) => valid(charger, at),
    pvLimit_W: () => pv_W,
    exportLimit_W: () => export_W,
    /** The next moment an order ends by itself. */
    nextEnd: (at: number): number =>
      Math.min(
        ...[battery, charger].map((held) => (held && held.untilMs > at ? held.untilMs : Number.POSITIVE_INFINITY)),
      ),
  };
}

/** The power that an order asks for, where self-consumption would be `own_W`. */
export function ordered(order: BatteryOrder | undefined, own_W: number, others_W: number): number {
  if (!order) return own_W;
  if ('battery_W' in order) return order.battery_W;
  if ('grid_W' in order) return order.grid_W - others_W;
  return Math.min(order.max_W, Math.max(order.min_W, own_W));
}
