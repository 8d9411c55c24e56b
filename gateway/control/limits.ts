import type { DerKind } from '#contract/gateway/reading.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import type { Device } from '../devices/device.ts';
import type { Facts, Part } from '../profiles/control/control-profile.ts';
import { type ControlProfile, findControl } from '../profiles/control/index.ts';
import type { Subject } from './command.ts';

/** The part of a device that control needs. */
export type ControlledDevice = Pick<
  Device,
  'sn' | 'profile' | 'kept' | 'ders' | 'isConnected' | 'silentMs' | 'controlTrust' | 'confirmControl'
>;

/** The DER kinds whose readings describe a part. */
export const derKindsOf: Record<Part, readonly DerKind[]> = { battery: ['battery', 'v2x_charger'], pv: ['pv'] };

const has = ({ ders }: ControlledDevice, part: Part): boolean =>
  ders.some(({ type }) => derKindsOf[part].includes(type));

/** Returns the parts that the device has and the profile can control. */
export const controllableParts = (device: ControlledDevice, control: ControlProfile): Part[] =>
  (['battery', 'pv'] as const).filter((part) => control[part] && has(device, part));

/** Returns how the device is controlled; throws a Problem when its profile does not define that for the subject. */
export function getControlProfile(device: ControlledDevice, subject: Subject): ControlProfile {
  const { sn, profile, ders } = device;
  if (subject !== 'take' && !has(device, subject)) {
    throw new Problem('invalid_request', `${sn} has no ${subject}; it has ${ders.map(({ type }) => type).join(', ')}.`);
  }
  const control = findControl(profile.profile);
  const parts = control ? controllableParts(device, control) : [];
  if (!control || (subject === 'take' ? parts.length === 0 : !parts.includes(subject))) {
    const what = subject === 'take' ? 'this device' : `its ${subject}`;
    throw new Problem('not_implemented', `${profile.display_name}: control of ${what} is not supported.`);
  }
  return control;
}

/** Like `getControlProfile`, and throws a Problem unless control is proven or a person has confirmed it. */
export function getConfirmedControlProfile(device: ControlledDevice, subject: Subject): ControlProfile {
  const control = getControlProfile(device, subject);
  if (device.controlTrust !== 'unconfirmed') return control;
  throw new Problem(
    'control_unconfirmed',
    `Control of ${device.sn} (${device.profile.display_name}) is not confirmed: it has neither been tested on hardware nor documented by two sources. ` +
      'Check that this device obeys, then confirm it once: on the Control page of the gateway, with ' +
      `ohmstead device confirm ${device.sn}, or with POST /api/control/${device.sn}/confirm {}.`,
  );
}

/** Returns the rated power that a person has set or the device reported when it was connected. */
export function configuredFacts({ ders, kept }: ControlledDevice, { limitsPanels }: ControlProfile): Facts {
  const pv = ders.find(({ type }) => type === 'pv');
  const panels_W = limitsPanels ? pv?.installed_power : undefined;
  const rated_W = pv?.rated_power ?? panels_W ?? kept.found?.rated_power_W;
  return rated_W === undefined ? {} : { rated_W };
}

/** Throws a Problem when the power is beyond the limits of the device. A setpoint is never clipped. */
export function checkPower(
  device: ControlledDevice,
  control: ControlProfile,
  { subject, power_w }: { subject: Subject; power_w: number },
  facts: Facts,
): void {
  const { sn } = device;
  if (!Number.isFinite(power_w)) throw refused('must be a finite number');
  const needsRated = subject !== 'take' && control.needsRated?.includes(subject);
  if (needsRated && !facts.rated_W) throw new Problem('invalid_request', unknownRating(sn, 'pv'));
  if (subject === 'pv') {
    if (power_w < 0) throw refused('is an upper limit of generation and must not be negative');
    if (facts.rated_W !== undefined && power_w > facts.rated_W) throw beyond(power_w, facts.rated_W);
    const { minGeneration_W = 0 } = control;
    if (power_w < minGeneration_W) throw refused(`must be at least ${minGeneration_W} W for this device`);
  }
  if (subject === 'battery') {
    const limits = powerLimits(device, subject, power_w, facts);
    if (limits.length === 0) throw new Problem('invalid_request', unknownRating(sn, 'battery'));
    if (Math.abs(power_w) > Math.min(...limits)) throw beyond(power_w, Math.min(...limits));
  }
}

/** Returns the known limits of this power: of the battery in its direction, or of generation. */
function powerLimits({ ders, kept }: ControlledDevice, subject: Subject, power_w: number, facts: Facts): number[] {
  if (subject === 'pv') return facts.rated_W === undefined ? [] : [facts.rated_W];
  const battery = ders.find(({ type }) => type === 'battery');
  const rated_W = battery ? battery.rated_power : kept.found?.rated_power_W;
  return [rated_W, power_w < 0 ? facts.discharge_W : facts.charge_W].filter((W) => W !== undefined);
}

/** Returns the power of a plan within the limits of the device: the platform may know other ratings than the device reports. */
export function clipPower(
  device: ControlledDevice,
  control: ControlProfile,
  { subject, power_w }: { subject: Subject; power_w: number },
  facts: Facts,
): number {
  const limitsAt = (W: number): number[] => powerLimits(device, subject, W, facts);
  if (subject === 'pv') return Math.max(control.minGeneration_W ?? 0, Math.min(power_w, ...limitsAt(power_w)));
  return Math.sign(power_w) * Math.min(Math.abs(power_w), ...limitsAt(power_w)) || 0;
}

const refused = (why: string): Problem => fieldProblem('invalid_request', 'body.power_w', why);

const beyond = (power_w: number, max_W: number): Problem =>
  refused(`${power_w} W is more than the ${max_W} W that the device supports`);

const unknownRating = (sn: string, kind: DerKind): string =>
  `The rated power of ${sn} is unknown; set rated_power of its ${kind} with POST /api/devices/${sn}/ders.`;
