import { getSite } from '#contract/cloud/sites.ts';
import { command, type Shell } from '../line/command.ts';
import { orAfter } from '../line/interrupt.ts';
import { UsageError } from '../line/usage-error.ts';
import { signedIn } from '../sign-in/session.ts';
import { findSite } from '../sites/find-site.ts';

const longestS = 86_400 * 24; // what a timer takes

const watch = command({
  name: 'watch',
  summary: 'Show what a site measures, live, until Ctrl-C',
  arguments: [{ name: 'site', says: 'id or name; the only one there is when left out', optional: true }],
  options: {
    seconds: { value: 'NUMBER', says: 'end by itself after so long' },
    json: { says: 'print every event as a line of JSON' },
  },
  examples: ['watch', 'watch "My house"', 'watch --json --seconds 60'],
  async run({ arguments: { site: given }, options }, shell) {
    const interrupted = shell.untilInterrupted();
    const seconds = secondsOf(options.seconds);
    const api = await signedIn(shell);
    const { id: site_id } = await findSite(api, given);
    const site = await api.call(getSite, { params: { site_id } });
    const signal = orAfter(interrupted, seconds && seconds * 1000);
    const view = await openView(options.json, shell);
    try {
      for await (const event of api.stream(site_id, { signal })) view.take(event);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      view.close();
    }

    async function openView(json: boolean, shell: Shell) {
      const { jsonView, linesView, tableView } = await import('../sites/site-views.ts'); // here, so that --help does not wait for it
      if (json) return jsonView(shell);
      return shell.stdout.isTTY ? tableView(site, api, shell) : linesView(site, shell);
    }
  },
});

function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || seconds === 0 || seconds > longestS) {
    throw new UsageError(`--seconds is a number from 1 to ${longestS}.`, 'watch');
  }
  return seconds;
}

export const watchCommands = [watch];
