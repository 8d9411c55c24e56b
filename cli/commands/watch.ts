import { getSite } from '#contract/cloud/sites.ts';
import { command, type Shell } from '../line/command.ts';
import { withTimeout } from '../line/interrupt.ts';
import { numberOption } from '../line/quantity.ts';
import { openSession } from '../sign-in/session.ts';
import { findSite } from '../sites/find-site.ts';

const maxSeconds = 86_400 * 24; // limit of a timer

const watch = command('watch', {
  summary: 'Show live readings of a site until Ctrl-C',
  arguments: [{ name: 'site', help: 'id or name. Default: your only site', optional: true }],
  options: {
    seconds: numberOption('NUMBER', 'stop after this time', { min: 0.001, max: maxSeconds }),
    json: { help: 'print every event as a line of JSON' },
  },
  examples: ['watch', 'watch "My house"', 'watch --json --seconds 60'],
  async run({ arguments: { site: given }, options }, shell) {
    const interrupted = shell.untilInterrupted();
    const api = await openSession(shell);
    const { id: site_id } = await findSite(api, given);
    const site = await api.call(getSite, { params: { site_id } });
    const signal = withTimeout(interrupted, options.seconds && options.seconds * 1000);
    const view = await openView(options.json, shell);
    try {
      for await (const event of api.stream(site_id, { signal })) view.onEvent(event);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      view.close();
    }

    async function openView(json: boolean, shell: Shell) {
      const { jsonView, linesView, tableView } = await import('../sites/site-views.ts'); // loaded only when the command runs
      if (json) return jsonView(shell);
      return shell.stdout.isTTY ? tableView(site, api, shell) : linesView(site, shell);
    }
  },
});

export const commands = [watch];
