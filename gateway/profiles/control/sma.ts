import { getFact, type ModbusControl, points, readFacts, restore } from './control-profile.ts';
import { set, setPower, type Write } from './write.ts';

const [mode, chargeLeast, chargeMost, dischargeLeast, dischargeMost, generationMost] = [
  40236, 40793, 40795, 40797, 40799, 40915,
];
const [charging, discharging, automatic] = [2289, 2290, 2424];

const settings = points(
  {
    chargeLeast_W: chargeLeast,
    chargeMost_W: chargeMost,
    dischargeLeast_W: dischargeLeast,
    dischargeMost_W: dischargeMost,
  },
  'u32',
);

const wide = (address: number, W: number): Write => setPower(address, W, { type: 'u32' });

// The limit of generation is documented for inverters without a battery.
export const sma: ModbusControl = {
  profile: 'sma',
  confidence: 'medium',
  needsRated: ['pv'],
  refreshMs: 10_000,
  revertsAfterMs: 60_000, // configurable in the inverter
  learn: (read) => readFacts({ ...settings, ...points({ generationMost_W: generationMost }, 'u32') }, read),
  battery: {
    set: ({ W }) => [
      wide(chargeLeast, Math.max(0, W)),
      wide(chargeMost, Math.max(0, W)),
      wide(dischargeLeast, Math.max(0, -W)),
      wide(dischargeMost, Math.max(0, -W)),
      set(mode, W < 0 ? discharging : charging, { type: 'u32' }),
    ],
    release: (facts) => [set(mode, automatic, { type: 'u32' }), ...restore(settings, facts)],
  },
  pv: {
    set: ({ W }) => [wide(generationMost, W)],
    release: (facts) => [wide(generationMost, facts.generationMost_W ?? getFact(facts, 'rated_W'))],
  },
};
