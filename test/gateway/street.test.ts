import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HouseState } from '#sim/house/state.ts';
import { type Street, startStreet } from '#sim/street.ts';
import { type FixedValues, fixedHouse } from '#sim/testing/fixed-house.ts';
import { openGateway } from './open-gateway.ts';

type Numbers = Record<string, number>;
type Sent = { type: string; enabled: boolean };

/** The true state of the house, in the fields of the local API. */
const truth = (h: HouseState): Record<string, Numbers> => ({
  pv: {
    W: h.pv_W,
    ac_W: h.pv_W + h.battery_W, // a hybrid inverter reports both on its AC side
    dc_W: h.pv_W + h.battery_W,
    total_generation_Wh: h.Wh.generated,
    mppt1_V: h.strings[0].V,
    mppt1_A: h.strings[0].A,
    mppt2_V: h.strings[1].V,
    mppt2_A: h.strings[1].A,
    heatsink_C: h.inverter_C,
    Hz: h.Hz,
  },
  battery: {
    W: h.battery_W,
    V: h.battery_V,
    A: h.battery_W / h.battery_V,
    SoC_nom_fract: h.battery_soc_fract,
    temperature_C: h.battery_C,
    total_charge_Wh: h.Wh.charged,
    total_discharge_Wh: h.Wh.discharged,
    unit1_W: h.battery_W,
    unit1_SoC_fract: h.battery_soc_fract,
    unit1_total_charge_Wh: h.Wh.charged,
    unit1_total_discharge_Wh: h.Wh.discharged,
  },
  meter: {
    W: h.meter_W,
    Hz: h.Hz,
    total_import_Wh: h.Wh.imported,
    total_export_Wh: h.Wh.exported,
    ...Object.fromEntries(
      h.phases.flatMap(({ W, V, A }, n) => [
        [`L${n + 1}_W`, W],
        [`L${n + 1}_V`, V],
        [`L${n + 1}_A`, A],
      ]),
    ),
  },
  v2x_charger: {
    W: h.charger_W,
    vehicle_soc_fract: h.vehicle_soc_fract,
    Hz: h.Hz,
    total_charge_Wh: h.Wh.vehicleCharged,
    total_discharge_Wh: h.Wh.vehicleDischarged,
  },
});

/** One step of the coarsest register for such a value. */
const counts: Record<string, number> = { W: 1, Wh: 100, V: 0.1, A: 0.1, Hz: 0.01, fract: 0.01, C: 0.1 };

type Tells = {
  sn: string | RegExp;
  /** the fields that each DER has at least, beside W */
  ders: Record<string, string>;
  counts?: Numbers;
  /** where this device reports something else than the values above */
  instead?: (h: HouseState) => Record<string, Numbers>;
  /** currents without a power of their phase, so without a direction */
  unsigned?: string[];
};

const phases = (unit: string): string => [1, 2, 3].map((n) => `L${n}_${unit}`).join(' ');
const pv = 'total_generation_Wh mppt1_V mppt1_A mppt2_V mppt2_A';
const battery = 'V A SoC_nom_fract total_charge_Wh total_discharge_Wh';
const meter = `Hz total_import_Wh total_export_Wh ${phases('W')} ${phases('V')} ${phases('A')}`;
const phaseCurrents = ['L1_A', 'L2_A', 'L3_A'];
const hybrid = { pv, battery, meter };

const fewVolts = (h: HouseState): number => 48 + 6 * h.battery_soc_fract;

const told: Record<string, Tells> = {
  sungrow: { sn: 'SIMSUNGROW0001', ders: hybrid },
  huawei: { sn: 'SIMHUAWEI0001', ders: hybrid },
  solaredge: {
    sn: 'SIMSOLAREDGE1',
    ders: { ...hybrid, pv: 'total_generation_Wh dc_W' },
  },
  'deye-lv': {
    sn: 'SIMDEYE001',
    ders: hybrid,
    instead: (h) => ({ battery: { V: fewVolts(h), A: h.battery_W / fewVolts(h) } }),
  },
  'deye-hv': { sn: 'SIMDEYE002', ders: hybrid, counts: { W: 10 } },
  sma: { sn: '990000001', ders: hybrid },
  goodwe: { sn: 'SIMGOODWE0000001', ders: hybrid },
  sunspec: { sn: 'SIMSUNSPEC001', ders: { ...hybrid, battery: 'V A SoC_nom_fract' } },
  sdm630: { sn: '99000001', ders: { meter } },
  'sungrow-string': {
    sn: 'SIMSUNGROW0002',
    ders: { pv, meter: `Hz ${phases('W')}` },
    counts: { Wh: 1000 },
  },
  solis: { sn: 'SIMSOLIS0001', ders: hybrid, counts: { Wh: 1000 } },
  fronius: { sn: 'SIMFRONIUS01', ders: { pv, battery: 'V SoC_nom_fract' } },
  'fronius-meter': { sn: 'SIMFRONIUS02', ders: { meter } },
  victron: { sn: 'SIMVICTRON01', ders: { pv: '', battery: 'V A SoC_nom_fract', meter: phases('W') } },
  'sdm630-rtu': { sn: '99000002', ders: { meter } },
  'p1-dsmr5': { sn: /^p1/, ders: { meter: meter.replace('Hz ', '') } },
  'p1-be': { sn: /^p1/, ders: { meter: meter.replace('Hz ', '') } },
  'p1-kaifa': { sn: /^p1/, ders: { meter: '' }, unsigned: phaseCurrents },
  'p1-mbus-encrypted': { sn: /^p1/, ders: { meter: `total_import_Wh ${phases('V')}` }, unsigned: phaseCurrents },
  ferroamp: { sn: 'ferroamp_127.0.0.1', ders: { ...hybrid, pv: 'total_generation_Wh' } },
  ambibox: {
    sn: 'SIM1',
    ders: { v2x_charger: 'dc_W vehicle_soc_fract total_charge_Wh total_discharge_Wh Hz L1_V L1_A L1_W' },
  },
  'ferroamp-dc2': { sn: 'SIMDC2001', ders: { v2x_charger: 'dc_W vehicle_soc_fract' } },
};

// The short list of a Kaifa meter has import only.
const silentOnExport = ['p1-kaifa'];

const houses: Record<string, FixedValues> = {
  'sun, a battery that charges, a car that charges, import': {
    pv_W: -3317,
    battery_W: 1393,
    battery_soc_fract: 0.64,
    charger_W: 3671,
    vehicle_soc_fract: 0.57,
    load_W: 731,
    Hz: 49.97,
  },
  'sun, a battery and a car that discharge, export': {
    pv_W: -4219,
    battery_W: -1787,
    battery_soc_fract: 0.31,
    charger_W: -2903,
    load_W: 613,
    Hz: 50.03,
    V: [233.4, 228.9, 231.2],
  },
};

for (const [title, values] of Object.entries(houses)) {
  describe(title, () => {
    const house = fixedHouse(values);
    const isExport = house.at(0).meter_W < 0;
    const players = Object.keys(told).filter((name) => !(isExport && silentOnExport.includes(name)));
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
    const answers = new Map<string, { added: any; first: any; later: any }>();
    let gateway: Awaited<ReturnType<typeof openGateway>>;
    let street: Street;
    before(async () => {
      gateway = await openGateway();
      street = await startStreet({ portBase: 0, house, only: players });
      const dataOf = async (sn: string) => (await gateway.call('GET', `/api/devices/${sn}/data/json`)).body;
      await Promise.all(
        street.players.map(async ({ name, connection }) => {
          const added = await gateway.call('POST', '/api/devices', connection);
          answers.set(name, { added, first: await dataOf(added.body.sn), later: undefined });
        }),
      );
      await sleep(1100); // chargers report their values one after another, all of them within a second
      for (const answer of answers.values()) answer.later = await dataOf(answer.added.body.sn);
    });
    after(async () => {
      await gateway.close();
      await street.close();
    });

    for (const name of players) {
      const { sn, ders, instead, unsigned = [], ...tells } = told[name]!;
      test(`${name} reports the true values at once`, () => {
        const { added, first, later } = answers.get(name)!;
        assert.equal(added.status, 201, JSON.stringify(added.body));
        assert.match(added.body.sn, typeof sn === 'string' ? new RegExp(`^${sn}$`) : sn);
        const isSent = Object.fromEntries(added.body.ders.map(({ type, enabled }: Sent) => [type, enabled]));
        assert.deepEqual(isSent, Object.fromEntries(Object.keys(ders).map((kind) => [kind, false])));
        const state = house.at(0);
        for (const [kind, least] of Object.entries(ders)) {
          const expected: Numbers = { ...truth(state)[kind], ...instead?.(state)[kind] };
          const missing = ['W', ...least.split(' ')].filter((field) => field && !(field in later[kind]));
          assert.deepEqual([first[kind].W, missing], [later[kind].W, []]);
          for (const [field, value] of Object.entries<number>({ ...first[kind], ...later[kind] })) {
            if (!(field in expected)) continue;
            const count = { ...counts, ...tells.counts }[field.split('_').at(-1)!]!;
            const size = unsigned.includes(field) ? Math.abs : Number;
            const miss = Math.abs(size(value) - size(expected[field]!));
            assert.ok(miss <= count, `${kind}.${field} is ${value}, not ${expected[field]}`);
          }
        }
      });
    }
  });
}
