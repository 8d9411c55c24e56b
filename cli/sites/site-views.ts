import type { SiteEvent } from '#contract/client/site-stream.ts';
import type { Client } from '#contract/client.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { systemClock } from '#lib/clock.ts';
import type { Shell } from '../line/command.ts';
import { machineTimeZone } from '../line/time-range.ts';
import { followPrice } from '../prices/price-line.ts';
import { openScreen } from '../terminal/screen.ts';
import { namesOfDers } from './ders-of-site.ts';
import { eventWords, readingWords } from './event-words.ts';
import { createLiveTable } from './live-table.ts';

/** A way to show what happens at a site. */
export type SiteView = { take(event: SiteEvent): void; close(): void };

const drawMs = 250;

/** Every event as a line of JSON, for programs. */
export const jsonView = ({ stdout }: Shell): SiteView => ({
  take(event) {
    const shown = event.type === 'disconnected' ? { ...event, error: event.error.message } : event;
    stdout.write(`${JSON.stringify(shown)}\n`);
  },
  close() {},
});

/** A line for each reading and each event, for files and pipes. */
export function linesView(site: SiteDetails, { stdout }: Shell): SiteView {
  const ders = namesOfDers(site);
  return {
    take(event) {
      stdout.write(`${event.type === 'reading' ? readingWords(event.reading, ders) : eventWords(event, ders)}\n`);
    },
    close() {},
  };
}

/** A table that is drawn over itself, for people. */
export function tableView(site: SiteDetails, platform: Client, { stdout }: Shell): SiteView {
  const timeZone = site.timezone ?? machineTimeZone();
  const table = createLiveTable(site.name, namesOfDers(site), timeZone);
  const screen = openScreen(stdout);
  const price = followPrice(platform, site, (line) => table.note(line));
  const draw = (): void => screen.draw(table.lines(systemClock.now()));
  const timer = setInterval(draw, drawMs);
  draw();
  return {
    take: (event) => table.take(event, systemClock.now()),
    close() {
      clearInterval(timer);
      price.stop();
      draw();
      screen.close();
    },
  };
}
