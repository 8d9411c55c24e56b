/** A battery command that replaces self-consumption. */
export type BatteryCommand =
  | { battery_W: number }
  /** self-consumption within these limits */
  | { min_W: number; max_W: number }
  /** the battery power that keeps the meter at this value */
  | { grid_W: number };

export type Controls = {
  /** `untilMs`: when the house returns to self-consumption */
  force(command: BatteryCommand | undefined, untilMs?: number): void;
  /** + charge */
  forceCharger(command: { charger_W: number } | undefined, untilMs?: number): void;
  /** maximum solar power, as a positive number */
  limitPv(limit_W: number | undefined): void;
  /** reduces solar power to limit the export */
  limitExport(limit_W: number | undefined): void;
};

type Timed<Command> = { command: Command; untilMs: number };

/** Stores the latest commands until they expire. */
export function createCommands() {
  let battery: Timed<BatteryCommand> | undefined;
  let charger: Timed<{ charger_W: number }> | undefined;
  let pv_W = Number.POSITIVE_INFINITY;
  let export_W = Number.POSITIVE_INFINITY;
  const valid = <Command>(held: Timed<Command> | undefined, at: number): Command | undefined =>
    held && at < held.untilMs ? held.command : undefined;

  const controls: Controls = {
    force(command, untilMs = Number.POSITIVE_INFINITY) {
      battery = command && { command, untilMs };
    },
    forceCharger(command, untilMs = Number.POSITIVE_INFINITY) {
      charger = command && { command, untilMs };
    },
    limitPv(limit_W = Number.POSITIVE_INFINITY) {
      pv_W = limit_W;
    },
    limitExport(limit_W = Number.POSITIVE_INFINITY) {
      export_W = limit_W;
    },
  };
  return {
    controls,
    battery: (at: number) => valid(battery, at),
    charger: (at: number) => valid(charger, at),
    pvLimit_W: () => pv_W,
    exportLimit_W: () => export_W,
    nextEnd: (at: number): number =>
      Math.min(
        ...[battery, charger].map((held) => (held && held.untilMs > at ? held.untilMs : Number.POSITIVE_INFINITY)),
      ),
  };
}

/** Returns the commanded power; `own_W` is that of self-consumption. */
export function commandedPower(command: BatteryCommand | undefined, own_W: number, others_W: number): number {
  if (!command) return own_W;
  if ('battery_W' in command) return command.battery_W;
  if ('grid_W' in command) return command.grid_W - others_W;
  return Math.min(command.max_W, Math.max(command.min_W, own_W));
}
