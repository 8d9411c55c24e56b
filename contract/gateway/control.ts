import { maxLeaseS } from '../command.ts';
import { routesOf } from '../route.ts';
import { NumberIn, OneOf, optional, Text, Type } from '../schema.ts';

const shared = { tag: 'Control', access: 'guarded', budget: 'control' } as const;

export const controlActions = ['init', 'battery', 'curtail', 'curtail_disable', 'deinit'] as const;
export type ControlAction = (typeof controlActions)[number];

const Queued = Type.Object({
  status: OneOf(['queued']),
  sn: Type.String(),
  action: OneOf(controlActions),
  power_w: Type.Optional(Type.Number()),
});

const lease = optional({
  command_id: Text(128, 'a repeated command with the same id has no effect'),
  ttl_s: NumberIn(1, maxLeaseS, 'duration of the lease in seconds'),
});

const watts = (description: string) => NumberIn(-1e9, 1e9, description);

const control = routesOf({
  ...shared,
  replies: { 202: Queued },
  problems: ['not_found', 'control_unconfirmed', 'not_implemented', 'device_unreachable'],
});

export const takeControl = control.post('/api/control/{sn}/init', 'Take control of a device', {});

export const setBattery = control.post(
  '/api/control/{sn}/battery',
  'Charge or discharge a battery until the lease ends',
  { body: Type.Object({ power_w: watts('positive charges, negative discharges'), ...lease }) },
);

export const curtail = control.post('/api/control/{sn}/curtail', 'Curtail generation until the lease ends', {
  body: Type.Object({ power_w: watts('maximum generation'), ...lease }),
});

export const liftCurtailment = control.post('/api/control/{sn}/curtail/disable', 'Lift the curtailment', {});

export const releaseControl = control.post(
  '/api/control/{sn}/deinit',
  'Release control and return the device to automatic mode',
  {},
);

export const confirmControl = routesOf(shared).post('/api/control/{sn}/confirm', 'Confirm the control of a device', {
  description:
    'Confirms that this device follows commands. Required once for each device whose control has not been confirmed ' +
    'by hardware or two independent sources (`control` of `GET /api/devices` is `unconfirmed`); until then, control ' +
    'requests return 409 `control_unconfirmed`. The confirmation is valid until the device is removed; confirming again has no effect.',
  body: Type.Object({}),
  replies: { 200: Type.Object({ sn: Type.String(), confirmed_at: Type.Integer({ description: 'ms' }) }) },
  problems: ['not_found', 'not_implemented', 'storage_failed'],
});

export const controlRoutes = [confirmControl, takeControl, setBattery, curtail, liftCurtailment, releaseControl];
