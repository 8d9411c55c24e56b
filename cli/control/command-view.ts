import { type Command, underWay } from '#contract/cloud/commands.ts';
import { systemClock } from '#lib/clock.ts';
import type { Shell } from '../line/command.ts';
import { showCountdown } from '../line/quantity.ts';
import { changeDayOffset, machineTimeZone } from '../line/time-range.ts';
import { printable } from '../terminal/printable.ts';
import { openScreen } from '../terminal/screen.ts';

export type CommandView = { show(command: Command): void; close(): void };

const drawMs = 250;

const stepLine = ({ at, status, message }: Command['history'][number]): string =>
  `${new Date(at).toLocaleTimeString('sv-SE')}${changeDayOffset(machineTimeZone(), Date.parse(at))}  ${status}${message ? `: ${printable(message)}` : ''}`;

/** A line for each step as it comes. */
export function linesOfCommand(title: string, { stdout }: Shell): CommandView {
  let shown = 0;
  stdout.write(`${title}\n`);
  return {
    show({ history }) {
      for (const step of history.slice(shown)) stdout.write(`${stepLine(step)}\n`);
      shown = history.length;
    },
    close() {},
  };
}

/** The steps, and how much longer it holds, drawn over themselves. */
export function countdownOfCommand(title: string, { stdout }: Shell): CommandView {
  const screen = openScreen(stdout);
  let lines = [title];
  let endsAt: number | undefined;
  const draw = (): void => {
    const left = endsAt === undefined ? [] : [`${showCountdown(endsAt - systemClock.now())} left`];
    screen.draw([...lines, ...left]);
  };
  const timer = setInterval(draw, drawMs);
  return {
    show({ history, status, ttl_s }) {
      lines = [title, ...history.map(stepLine)];
      endsAt = underWay.includes(status) ? (endsAt ?? systemClock.now() + ttl_s * 1000) : undefined;
      draw();
    },
    close() {
      clearInterval(timer);
      endsAt = undefined;
      draw();
      screen.close();
    },
  };
}
