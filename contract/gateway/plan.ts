import { intentModes, PlanProgress } from '../gateway-plan.ts';
import { routesOf } from '../route.ts';
import { OneOf, optional, type Static, Titled, Type } from '../schema.ts';

const tag = 'Control';
const local = routesOf({ tag, access: 'local' });
const guarded = routesOf({ tag, access: 'guarded', budget: 'control' }, local.all);

const PlannedDevice = Type.Object({
  sn: Type.String(),
  kind: OneOf(['battery', 'car', 'solar']),
  ...optional({
    mode: OneOf(intentModes, { description: 'what the plan intends' }),
    power_w: Type.Number({ description: 'the setpoint; absent while the plan does not control the device' }),
  }),
});

export const LocalPlan = Titled('LocalPlan', {
  enabled: Type.Boolean({ description: 'whether this gateway follows plans of the platform' }),
  ...optional({
    progress: PlanProgress,
    ends_at: Type.Integer({ description: 'ms; end of the plan' }),
    now: Type.Object({
      until: Type.Integer({ description: 'ms; end of the step' }),
      reason: Type.Optional(Type.String()),
      devices: Type.Array(PlannedDevice),
    }),
  }),
});
export type LocalPlan = Static<typeof LocalPlan>;

export const getLocalPlan = local.get('/api/plan', 'Get what the plan of the platform does now', {
  replies: { 200: LocalPlan },
});

export const setLocalPlan = guarded.post('/api/plan', 'Follow plans of the platform, or not', {
  description: 'While it is off, devices are in automatic mode. Switching it on also ends the pause after a release.',
  body: Type.Object({ enabled: Type.Boolean() }),
  replies: { 200: LocalPlan },
  problems: ['storage_failed'],
});

export const planRoutes = local.all;
