import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createFakeClock } from '#test/fake-clock.ts';
import { fixedHouse } from '../testing/fixed-house.ts';
import type { Bank } from './bank.ts';
import { deye } from './banks/deye.ts';
import { goodwe } from './banks/goodwe.ts';
import { huawei } from './banks/huawei.ts';
import { sma } from './banks/sma.ts';
import { solaredge } from './banks/solaredge.ts';
import { solis } from './banks/solis.ts';
import { sungrowHybrid } from './banks/sungrow.ts';
import { froniusGen24 } from './banks/sunspec.ts';
import { victron } from './banks/victron.ts';
import { createDevice, type Device } from './device.ts';

const ownWay_W = 700; // battery power in self-consumption

function deviceOf(bank: Bank) {
  const clock = createFakeClock(0);
  const house = fixedHouse({ pv_W: -5000, battery_W: ownWay_W, battery_soc_fract: 0.4, load_W: 1000 });
  const device = createDevice(bank, { house, clock });
  return { device, clock, state: () => house.at(clock.now()) };
}

/** `13049=2 47247=0,2500`: addresses and the words written there, in this order. */
function write(device: Device, writes = ''): void {
  for (const [, address, words] of writes.matchAll(/(\w+)=(\S+)/g))
    device.write(Number(address), words!.split(',').map(Number));
}
const floatLe = (value: number): string => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(value);
  return `${bytes.readUInt16BE(2)},${bytes.readUInt16BE(0)}`;
};

type Commanded = { says: string; bank: Bank; writes: string; battery_W: number; endsAfterS?: number; release?: string };

const commands: Commanded[] = [
  {
    says: 'Sungrow charges',
    bank: sungrowHybrid('SIM'),
    writes: '13049=2 13050=0xaa 13051=2500',
    battery_W: 2500,
    release: '13049=0 13050=0xcc 13051=0',
  },
  {
    says: 'Sungrow discharges',
    bank: sungrowHybrid('SIM'),
    writes: '13049=2 13050=0xbb 13051=1500',
    battery_W: -1500,
  },
  { says: 'Sungrow holds', bank: sungrowHybrid('SIM'), writes: '13049=2 13050=0xcc 13051=0', battery_W: 0 },
  {
    says: 'Sungrow ignores a power that is written before the mode',
    bank: sungrowHybrid('SIM'),
    writes: '13051=2500 13050=0xaa 13049=2',
    battery_W: 0,
  },
  {
    says: 'Huawei charges for the set period',
    bank: huawei('SIM'),
    writes: '47247=0,2500 47083=2 47246=0 47100=1',
    battery_W: 2500,
    endsAfterS: 120,
  },
  {
    says: 'Huawei discharges until it is released',
    bank: huawei('SIM'),
    writes: '47249=0,1500 47083=5 47100=2',
    battery_W: -1500,
    release: '47100=0',
  },
  {
    says: 'Huawei idles within limits of zero',
    bank: huawei('SIM'),
    writes: '47075=0,0 47077=0,0',
    battery_W: 0,
    release: '47075=0,5000 47077=0,5000',
  },
  {
    says: 'SolarEdge charges until the timeout',
    bank: solaredge('SIM'),
    writes: `57348=4 57355=60,0 57357=3 57358=${floatLe(2500)}`,
    battery_W: 2500,
    endsAfterS: 60,
  },
  {
    says: 'SolarEdge exports',
    bank: solaredge('SIM'),
    writes: `57348=4 57355=60,0 57357=4 57360=${floatLe(1500)}`,
    battery_W: -1500,
    release: '57357=7 57348=1',
  },
  {
    says: 'Deye charges by amperes',
    bank: deye('SIM', 'high'),
    writes: '130=1 146=255 166=100 108=5 172=3',
    battery_W: 2020,
    release: '142=2 146=1 130=0',
  },
  {
    says: 'Deye discharges by watts',
    bank: deye('SIM', 'low'),
    writes: '146=255 154=1500 166=10 142=0',
    battery_W: -1500,
  },
  {
    says: 'SMA charges while it is commanded',
    bank: sma(1),
    writes: '40795=0,2500 40236=0,2289',
    battery_W: 2500,
    endsAfterS: 60,
  },
  {
    says: 'SMA discharges until it is released',
    bank: sma(1),
    writes: '40799=0,1500 40236=0,2290',
    battery_W: -1500,
    release: '40236=0,2424',
  },
  {
    says: 'GoodWe discharges',
    bank: goodwe('SIM'),
    writes: '47511=3 47512=1500',
    battery_W: -1500,
    release: '47511=1',
  },
  {
    says: 'Solis charges',
    bank: solis('SIM'),
    writes: '43110=96 43129=250 43136=250 43135=1',
    battery_W: 2500,
    release: '43110=33',
  },
  {
    says: 'Fronius charges by a negative discharge limit, until the revert time',
    bank: froniusGen24('SIM'),
    writes: `40287=${0x10000 - 5000} 40290=30 40280=2`,
    battery_W: 2500,
    endsAfterS: 30,
  },
  {
    says: 'Victron follows a grid setpoint',
    bank: victron('SIM'),
    writes: `2700=${0x10000 - 1000}`,
    battery_W: 3000,
    release: '2700=0',
  },
];

type Limit = { says: string; bank: Bank; prepare?: string; apply: string; pv_W: number; release: string };

const limits: Limit[] = [
  {
    says: 'Sungrow',
    bank: sungrowHybrid('SIM'),
    prepare: '13089=300',
    apply: '13088=0xaa',
    pv_W: -3000,
    release: '13088=0x55',
  },
  { says: 'Huawei', bank: huawei('SIM'), prepare: '47416=0,3000', apply: '47415=6', pv_W: -3000, release: '47415=0' },
  {
    says: 'SolarEdge',
    bank: solaredge('SIM'),
    prepare: '61441=30',
    apply: '61696=1',
    pv_W: -3000,
    release: '61441=100 61696=1',
  },
  { says: 'Deye', bank: deye('SIM', 'high'), prepare: '145=1', apply: '143=300', pv_W: -3000, release: '143=1200' },
  { says: 'SMA', bank: sma(1), apply: '40915=0,3000', pv_W: -3000, release: '40915=0,8000' },
  {
    says: 'GoodWe, limit of export',
    bank: goodwe('SIM'),
    prepare: '47510=300',
    apply: '47509=1',
    pv_W: -2000,
    release: '47509=0',
  },
  {
    says: 'Fronius',
    bank: froniusGen24('SIM'),
    prepare: '40164=30',
    apply: '40168=1',
    pv_W: -3000,
    release: '40168=0',
  },
];

suite('control registers', () => {
  for (const { says, bank, writes, battery_W, endsAfterS, release } of commands) {
    test(says, () => {
      const { device, clock, state } = deviceOf(bank);
      assert.deepEqual([device.mode(), state().battery_W], ['self-consumption', ownWay_W]);
      write(device, writes);
      assert.deepEqual([device.mode(), state().battery_W], ['forced', battery_W]);
      if (endsAfterS) {
        clock.advance(endsAfterS * 1000 - 1);
        assert.equal(device.mode(), 'forced');
        clock.advance(1);
      }
      write(device, release);
      if (endsAfterS || release) assert.deepEqual([device.mode(), state().battery_W], ['self-consumption', ownWay_W]);
    });
  }

  for (const { says, bank, prepare, apply, pv_W, release } of limits) {
    test(`${says}: a PV limit applies until it is lifted`, () => {
      const { device, state } = deviceOf(bank);
      write(device, prepare);
      assert.equal(state().pv_W, -5000);
      write(device, apply);
      assert.equal(state().pv_W, pv_W);
      write(device, release);
      assert.equal(state().pv_W, -5000);
    });
  }

  test('repeated writes extend a forced mode, and its end is visible in the register', () => {
    const { device, clock } = deviceOf(huawei('SIM'));
    device.write(47_083, [1]);
    for (let minute = 0; minute < 3; minute += 1) {
      device.write(47_100, [1]);
      clock.advance(59_000);
      assert.equal(device.setting(47_100), 1);
    }
    clock.advance(1000);
    assert.deepEqual([device.setting(47_100), device.mode()], [0, 'self-consumption']);
  });

  test('read-only registers cannot be written', () => {
    const { device } = deviceOf(huawei('SIM'));
    for (const address of [32_064, 12_345])
      assert.throws(() => device.write(address, [1]), { message: 'illegal address' });
  });
});
