export type Meter = ReturnType<typeof createMeter>;

const powerFactor = 0.98;
const stepHours = 5 / 3600;

/** Creates a three-phase meter with varying loads, voltages and frequency; the same seed gives the same values. */
export function createMeter(seed: number) {
  const random = randomFrom(seed);
  const loads: [number, number, number] = [300, 150, 80];
  const volts: [number, number, number] = [2305, 2312, 2298]; // tenths
  let mHz = 50_000;
  let importWh = 1e6 + seed * 1000;
  let exportWh = 2e5 + seed;

  const wander = (value: number, middle: number, step: number): number =>
    value + (random() - 0.5) * step - (value - middle) * 0.02;

  function readPhase(phase: 0 | 1 | 2): { W: number; V: number; A: number } {
    const load = loads[phase];
    if (random() < 0.02) loads[phase] = random() < 0.1 ? -2000 * random() : 1500 * random() ** 3; // sun, appliances
    volts[phase] = wander(volts[phase], 2305, 6);
    const W = Math.round(load * (1 + (random() - 0.5) * 0.01));
    const V = Math.round(volts[phase]) / 10;
    return { W, V, A: Math.round((100 * W) / V / powerFactor) / 100 };
  }

  return {
    /** Returns a reading as JSON, with the timestamp first. */
    read(at: number): string {
      const [l1, l2, l3] = [readPhase(0), readPhase(1), readPhase(2)];
      mHz = wander(mHz, 50_000, 12);
      const W = l1.W + l2.W + l3.W;
      if (W > 0) importWh += W * stepHours;
      else exportWh -= W * stepHours;
      const V = Math.round((10 * (l1.V + l2.V + l3.V)) / 3) / 10;
      const A = Math.round(100 * (l1.A + l2.A + l3.A)) / 100;
      return (
        `{"timestamp":${at},"W":${W},"V":${V},"A":${A},"Hz":${Math.round(mHz / 10) / 100},` +
        `"L1_W":${l1.W},"L2_W":${l2.W},"L3_W":${l3.W},"L1_V":${l1.V},"L2_V":${l2.V},"L3_V":${l3.V},` +
        `"L1_A":${l1.A},"L2_A":${l2.A},"L3_A":${l3.A},` +
        `"total_import_Wh":${Math.floor(importWh)},"total_export_Wh":${Math.floor(exportWh)}}`
      );
    },
  };
}

/** Returns a pseudo-random generator (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
