import type { MqttMessage } from '../../links/mqtt/link.ts';

const scalars =
  'powerAc powerAc currentAc1 voltageAc1 frequency soc energyAcImport minEnergyRequest chargePowerMax dischargePowerMax powerDc'.split(
    ' ',
  );

// Valid messages of each profile; `#` is replaced by a number and `@` by an id.
const sound: Record<string, readonly [topic: string, payload: string][]> = {
  ferroamp: [
    [
      'extapi/data/ehub',
      '{"pext":{"L1":"#","L2":"#","L3":"#"},"ppv":{"val":"#"},"pbat":{"val":"#"},"soc":{"val":"#"}}',
    ],
    [
      'extapi/data/ehub',
      '{"pext":{"val":#},"gridfreq":{"val":"#"},"ul":{"L1":#,"L2":"#","L3":#},"ts":{"val":"2025-06-15T15:0#:00UTC"}}',
    ],
    [
      'extapi/data/ehub',
      '{"ppv":{"val":"#"},"wpv":{"val":"#"},"wextconsq":{"L1":"#","L2":"#","L3":"#"},"ratedcap":{"val":"#"}}',
    ],
    [
      'extapi/data/eso',
      '{"id":{"val":"@"},"ubat":{"val":"#"},"ibat":{"val":#},"soc":{"val":"#"},"wbatprod":{"val":"#"}}',
    ],
    ['extapi/data/sso', '{"id":{"val":"@"},"upv":{"val":"#"},"ipv":{"val":"#"},"ts":{"val":"2025-06-15T15:00:0#UTC"}}'],
    ['extapi/data/esm', '{"id":{"val":"@"},"ratedCapacity":{"val":"#"},"ratedPower":{"val":"#"}}'],
  ],
  ferroamp_dc2: [
    ['dc2/v2x/pecc', '{"PECCStatus2":{"measuredVoltage":#,"measuredCurrent":"#"},"PECCLimits1":{"limitPowerMax":#}}'],
    [
      'dc2/pecc',
      '{"PECCStatus2":{"measuredVoltage":"#","measuredCurrent":#},"PECCLimits3":{"limitDischargePowerMax":#}}',
    ],
    ['dc2/v2x/psu', '{"Measured values":{"Battery Voltage":#,"Battery Current":#}}'],
    ['dc2/system', '{"Host":"@","State":"Charging","Charged energy":"# kWh","Discharged energy":"#"}'],
    ['dc2/v2x/secc', '{"VehicleStatus":{"batteryStateOfCharge":#,"evConnectionState":"connected"}}'],
    ['dc2/connector/1/pe/measured_voltage', '#'],
    ['dc2/connector/1/pe/measured_current', '#'],
  ],
  ambibox: scalars.map((name) => [`device/evCharger/@/${name}`, '#']),
};

const words: readonly [string, string][] = [
  ['device/evCharger/0/sessionState', 'CHARGE_LOOP'],
  ['device/evCharger/0/evConnected', 'true'],
  ['device/evCharger/0/connected', 'false'],
];

const usual = ['0', '1', '-1', '50', '230.5', '-4321.09', '9', '3600000', '1e3', '99.9'];
const unusual = [
  '1e308',
  '-1e400',
  '1e400',
  'NaN',
  'Infinity',
  '-0',
  '0x1F',
  '',
  ' ',
  'null',
  'true',
  '[]',
  '{}',
  '"',
  '1e15',
];
const snippets = [
  '{',
  '}',
  '"',
  ':',
  ',',
  '\\u0000',
  '__proto__',
  'constructor',
  '\u0000',
  '1e999',
  '/',
  '#',
  '+',
  'é',
];

export type Mutator = ReturnType<typeof createMutator>;

/** Generates nearly valid messages; the same seed gives the same messages. */
export function createMutator(seed: number) {
  let state = seed >>> 0;

  /** Returns an integer below this one (mulberry32). */
  function below(limit: number): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }
  const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)]!;

  function fill(template: string): string {
    return template
      .replace(/#/g, () => (below(12) === 0 ? oneOf(unusual) : oneOf(usual)))
      .replace(/@/g, () =>
        below(8) === 0 ? oneOf(['', '../x', 'a b', 'x'.repeat(70)]) : String(below(below(9) ? 2 : 1e6)),
      );
  }

  function damage(bytes: Uint8Array): Uint8Array {
    const copy = Uint8Array.from(bytes);
    const at = below(copy.length + 1);
    switch (below(5)) {
      case 0:
        if (at < copy.length) copy[at] = below(256);
        return copy;
      case 1:
        return copy.subarray(0, at);
      case 2:
        return Buffer.concat([copy.subarray(0, at), Buffer.from(oneOf(snippets)), copy.subarray(at)]);
      case 3:
        return Buffer.concat([copy.subarray(0, at), copy]);
      default:
        return below(20) === 0 ? Buffer.alloc(below(40_000), oneOf(snippets)) : copy.subarray(at);
    }
  }

  return {
    pauseMs: (): number => (below(40) === 0 ? below(700_000) : below(2000)),

    message(profile: string): Omit<MqttMessage, 'at'> {
      const known = sound[profile] ?? Object.values(sound).flat();
      const [topicForm, payloadForm] = profile === 'ambibox' && below(4) === 0 ? oneOf(words) : oneOf(known);
      let topic = fill(topicForm);
      let payload: Uint8Array = Buffer.from(fill(payloadForm));
      if (below(20) === 0) topic = new TextDecoder().decode(damage(Buffer.from(topic)));
      for (let times = below(3) === 0 ? below(4) : 0; times > 0; times--) payload = damage(payload);
      return { topic, payload, isRetained: below(10) === 0 };
    },
  };
}
