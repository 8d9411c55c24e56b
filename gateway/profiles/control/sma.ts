import { getFact, type ModbusControl, points, readFacts, restore } from './control-profile.ts';
import { set, setPower, type Write } from './write.ts';

const [mode, chargeLeast_W, chargeMost_W, dischargeLeast_W, dischargeMost_W, generationMost_W] = [
  40236, 40793, 40795, 40797, 40799, 40915,
];
const [charging, discharging, automatic] = [2289, 2290, 2424];

const settings = points({ chargeLeast_W, chargeMost_W, dischargeLeast_W, dischargeMost_W }, 'u32');

const wide = (address: number, W: number): Write => setPower(address, W, { type: 'u32' });

// The limit of generation is documented for inverters without a battery.
export const sma: ModbusControl = {
  profile: 'sma',
  confidence: 'medium',
  needsRated: ['pv'],
  refreshMs: 10_000,
  revertsAfterMs: 60_000, // configurable in the inverter
  learn: (read) => readFacts({ ...settings, ...points({ generationMost_W }, 'u32') }, read),
  battery: {
    set: ({ W }) => [
      wide(chargeLeast_W, Math.max(0, W)),
      wide(chargeMost_W, Math.max(0, W)),
      wide(dischargeLeast_W, Math.max(0, -W)),
      wide(dischargeMost_W, Math.max(0, -W)),
      set(mode, W < 0 ? discharging : charging, { type: 'u32' }),
    ],
    release: (facts) => [set(mode, automatic, { type: 'u32' }), ...restore(settings, facts)],
  },
  pv: {
    set: ({ W }) => [wide(generationMost_W, W)],
    release: (facts) => [wide(generationMost_W, facts.generationMost_W ?? getFact(facts, 'rated_W'))],
  },
};
