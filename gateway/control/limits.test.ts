import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findControl } from '../profiles/control/index.ts';
import { findProfile } from '../profiles/index.ts';
import { type ControlledDevice, checkPower, configuredFacts, getConfirmedControlProfile } from './limits.ts';

const charger = {
  sn: 'V1',
  profile: findProfile('ambibox')!,
  ders: [{ type: 'v2x_charger' }],
  kept: { found: { rated_power_W: 11_000 } },
  isConnected: true,
  silentMs: () => 0,
} as unknown as ControlledDevice;

for (const { power_w, isRefused } of [
  { power_w: 11_000, isRefused: false },
  { power_w: 0, isRefused: false },
  { power_w: -100, isRefused: true },
]) {
  test(`a car that cannot discharge ${isRefused ? 'is refused' : 'accepts'} ${power_w} W`, () => {
    const check = () =>
      checkPower(
        charger,
        findControl('ambibox')!,
        { subject: 'battery', power_w },
        { charge_W: 11_000, discharge_W: 0 },
      );
    if (isRefused) assert.throws(check, { code: 'invalid_request' });
    else check();
  });
}

test('a device whose control is not confirmed is refused with its profile name', () => {
  assert.throws(() => getConfirmedControlProfile({ ...charger, controlTrust: 'unconfirmed' }, 'take'), {
    code: 'control_unconfirmed',
    message: /^Control of .*Ambibox.* is not confirmed/i,
  });
  assert.equal(getConfirmedControlProfile({ ...charger, controlTrust: 'confirmed' }, 'take').profile, 'ambibox');
});

for (const { profile, known } of [
  { profile: 'sungrow', known: {} },
  { profile: 'ferroamp', known: { rated_W: 9100 } },
]) {
  test(`the installed power of the panels ${'rated_W' in known ? 'is' : 'is not'} used as the rating of a ${profile}`, () => {
    const device = { ders: [{ type: 'pv', installed_power: 9100 }], kept: {} } as unknown as ControlledDevice;
    assert.deepEqual(configuredFacts(device, findControl(profile)!), known);
  });
}
