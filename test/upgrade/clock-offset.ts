// Preloaded into programs whose wall clock is to be ahead of or behind that of the machine: the data of an earlier version was
// written on certain days, and readings, tokens and answers depend on the time.

const offsetMs = Number(process.env.CLOCK_OFFSET_MS);
const machineNow = Date.now.bind(Date);

globalThis.Date = class extends Date {
  constructor(...args: unknown[]) {
    super(...((args.length === 0 ? [machineNow() + offsetMs] : args) as [number]));
  }

  static override now(): number {
    return machineNow() + offsetMs;
  }
} as DateConstructor;
