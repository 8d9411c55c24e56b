/** What a device makes its battery do instead of self-consumption. */
export type BatteryCommand =
  | { battery_W: number }
  /** self-consumption, but never outside these */
  | { min_W: number; max_W: number }
  /** whatever keeps the meter there */
  | { grid_W: number };

/** The part of a house that devices turn. */
export type Controls = {
  /** `untilMs`: when the house returns to self-consumption by itself */
  force(command: BatteryCommand | undefined, untilMs?: number): void;
  /** + charge */
  forceCharger(command: { charger_W: number } | undefined, untilMs?: number): void;
  /** at most this much PV, as a positive number */
  limitPv(limit_W: number | undefined): void;
  /** PV gives way rather than feed in more than this */
  limitExport(limit_W: number | undefined): void;
};

type Held<Command> = { command: Command; untilMs: number };

/** The commands as they were last given, each until its time. */
export function createCommands() {
  let battery: Held<BatteryCommand> | undefined;
  let charger: Held<{ charger_W: number }> | undefined;
  let pv_W = Number.POSITIVE_INFINITY;
  let export_W = Number.POSITIVE_INFINITY;
  const valid = <Command>(held: Held<Command> | undefined, at: number): Command | undefined =>
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
    /** The next moment a command ends by itself. */
    nextEnd: (at: number): number =>
      Math.min(
        ...[battery, charger].map((held) => (held && held.untilMs > at ? held.untilMs : Number.POSITIVE_INFINITY)),
      ),
  };
}

/** The power that a command asks for, where self-consumption would be `own_W`. */
export function commandedPower(command: BatteryCommand | undefined, own_W: number, others_W: number): number {
  if (!command) return own_W;
  if ('battery_W' in command) return command.battery_W;
  if ('grid_W' in command) return command.grid_W - others_W;
  return Math.min(command.max_W, Math.max(command.min_W, own_W));
}
