import type { SiteEvent } from '#contract/client/site-stream.ts';
import type { Client } from '#contract/client.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { systemClock } from '#lib/clock.ts';
import type { Shell } from '../line/command.ts';
import { machineTimeZone } from '../line/time.ts';
import { followPrice } from '../prices/price-line.ts';
import { openScreen } from '../terminal/screen.ts';
import { describeEvent, describeReading, nameDers } from './event-words.ts';
import { createLiveTable } from './live-table.ts';

export type SiteView = { onEvent(event: SiteEvent): void; close(): void };

const redrawMs = 250;

export const jsonView = ({ stdout }: Shell): SiteView => ({
  onEvent(event) {
    const shown = event.type === 'disconnected' ? { ...event, error: event.error.message } : event;
    stdout.write(`${JSON.stringify(shown)}\n`);
  },
  close() {},
});

export function linesView(site: SiteDetails, { stdout }: Shell): SiteView {
  const ders = nameDers(site);
  return {
    onEvent(event) {
      stdout.write(`${event.type === 'reading' ? describeReading(event.reading, ders) : describeEvent(event, ders)}\n`);
    },
    close() {},
  };
}

export function tableView(site: SiteDetails, platform: Client, { stdout }: Shell): SiteView {
  const timeZone = site.timezone ?? machineTimeZone();
  const table = createLiveTable(site.name, nameDers(site), timeZone);
  const screen = openScreen(stdout);
  const price = followPrice(platform, site, (line) => table.setFooter(line));
  const draw = (): void => screen.draw(table.lines(systemClock.now()));
  const timer = setInterval(draw, redrawMs);
  draw();
  return {
    onEvent: (event) => table.onEvent(event, systemClock.now()),
    close() {
      clearInterval(timer);
      price.stop();
      draw();
      screen.close();
    },
  };
}
