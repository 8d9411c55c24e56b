import type { GatewayPlan, Intent } from '#contract/gateway-plan.ts';

export const startMs = Date.parse('2026-06-01T12:00:00Z');

export const battery = {
  id: 'der-battery',
  sn: 'BAT1',
  kind: 'battery',
  capacity_wh: 10_000,
  min_wh: 1000,
  max_wh: 10_000,
  charge_w: 5000,
  discharge_w: 5000,
} as const satisfies GatewayPlan['storages'][number];

export const car = {
  id: 'der-car',
  sn: 'CAR1',
  kind: 'car',
  capacity_wh: 60_000,
  min_wh: 0,
  max_wh: 60_000,
  charge_w: 11_000,
  charge_min_w: 4140,
  discharge_w: 0,
} as const satisfies GatewayPlan['storages'][number];

/** A plan of one step of an hour with these intents. */
export function planOf(intents: Record<string, Intent>, changes: Partial<GatewayPlan> = {}): GatewayPlan {
  return {
    id: 'plan-1',
    made_at: startMs,
    ends_at: startMs + 3_600_000,
    window_s: 3600,
    utc_offset_s: 7200,
    storages: [battery, car].filter(({ id }) => id in intents),
    steps: [{ start: startMs, s: 3600, grid_w: 0, intents }],
    ...changes,
  };
}
