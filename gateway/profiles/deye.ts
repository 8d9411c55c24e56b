import { type Ders, firstOf, holding, holdingText, is, phases, strings, sum, totals } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

// Models with a high-voltage battery count power in 10 W and battery voltage in 0.1 V; the others in 1 W and 0.01 V.
// High-voltage firmware from 1098 on reportedly counts energy in 1 kWh instead of 0.1 kWh; no register shows which.
const dersOf = ({ watt, volt }: { watt: number; volt: number }): Ders => ({
  pv: {
    W: sum(...[672, 673, 674, 675].map((at) => holding('u16', at, { scale: -watt, confidence: 'high' }))),
    ...strings(holding, 'u16', [676, 678], { V: 0.1, A: 0.1 }),
    heatsink_C: firstOf(
      // Some firmware adds 1000. Raw values from 900 to 999 are ambiguous (hot, or below zero) and discarded.
      holding('u16', 541, { scale: 0.1, between: [0, 89.9] }),
      holding('u16', 541, { scale: 0.1, offset: -100, between: [0, 150] }),
    ),
    total_generation_Wh: holding('u32', 534, { scale: 100, confidence: 'high' }),
  },
  battery: {
    W: holding('i16', 590, { scale: -watt, confidence: 'high' }), // device: + discharge; one source has the opposite sign
    V: holding('u16', 587, { scale: volt }),
    A: holding('i16', 591, { scale: -0.01 }),
    SoC_nom_fract: holding('u16', 588, { scale: 0.01, confidence: 'high' }),
    temperature_C: holding('u16', 217, { scale: 0.1, offset: -100 }),
    ...totals({ charge: 516, discharge: 518 }, (at) => holding('u32', at, { scale: 100, confidence: 'high' })),
  },
  meter: {
    W: holding('i16', 625), // at the grid, + import; 619 is measured by the external clamps
    ...phases('W', [622, 623, 624], (at) => holding('i16', at)),
    ...phases('V', [598, 599, 600], (at) => holding('u16', at, { scale: 0.1, confidence: 'high' })),
    ...phases('A', [613, 614, 615], (at) => holding('i16', at, { scale: 0.01 })), // external clamps; 610 to 612 are internal
    Hz: holding('u16', 609, { scale: 0.01 }),
    ...totals({ import: 522, export: 524 }, (at) => holding('u32', at, { scale: 100, confidence: 'high' })),
  },
});

const deviceType = holding('u16', 0);
const otherMaps = [0, 2, 3, 4]; // string, single-phase hybrid and micro inverters use other registers

export const deye = modbusProfile({
  profile: 'deye',
  display_name: 'Deye three-phase hybrid',
  make: 'Deye',
  hints: { vendor: /deye/i },
  sources: ['deviceDrivers', 'evcc', 'pythonGateway', 'modbusDebug'],
  confidence: 'medium',
  wordOrder: 'little',
  identify: [{ what: 'device type', at: deviceType, is: (type) => !otherMaps.includes(type), isInconclusive: true }],
  serial: { at: holdingText(3, 5) },
  ratings: {
    // 0.1 W in most tables, 0.1 kW in one: the plausible rating of a three-phase inverter is used.
    rated_power_W: firstOf(
      holding('u32', 20, { scale: 0.1, between: [1000, 200_000] }),
      holding('u32', 20, { scale: 100, between: [1000, 200_000] }),
    ),
  },
  variants: [
    { name: 'high-voltage battery', when: { at: deviceType, is: is(6) }, ders: dersOf({ watt: 10, volt: 0.1 }) },
    { name: 'low-voltage battery', ders: dersOf({ watt: 1, volt: 0.01 }) },
  ],
});
