import type { Ohmstead } from '#contract/client/connect.ts';
import { getSite } from '#contract/cloud/sites.ts';
import { resolutions } from '#contract/cloud/telemetry.ts';
import { Problem } from '#contract/problem.ts';
import { telemetryFields } from '#contract/telemetry.ts';
import { formatTime } from '#contract/time.ts';
import { systemClock } from '#lib/clock.ts';
import { copyHistory, csvOf, jsonLines, openExportFile, standardOutput } from '../history/copy-history.ts';
import {
  columnsOf,
  createDerReader,
  createSiteReader,
  type HistoryQuery,
  type HistoryReader,
} from '../history/history.ts';
import { command, UsageError } from '../line/command.ts';
import { ifFound } from '../line/errors.ts';
import { didYouMean } from '../line/nearest.ts';
import { machineTimeZone, parseRange, pastTimeFormats } from '../line/time.ts';
import { openSession } from '../sign-in/session.ts';
import { findDer } from '../sites/find-der.ts';
import { findSite } from '../sites/find-site.ts';
import { createProgress } from '../terminal/screen.ts';

const exportHistory = command('export', {
  summary: 'Export the history of a site or DER as CSV or JSON lines',
  arguments: [{ name: 'site or der', help: 'id or name; device/name if several DERs share the name' }],
  options: {
    from: { value: 'TIME', help: `start: ${pastTimeFormats}. Default: a day before the end` },
    to: { value: 'TIME', help: 'end. Default: now' },
    resolution: { value: 'STEP', oneOf: resolutions, help: 'length of a bucket. Default: by the length of the range' },
    fields: { value: 'NAMES', help: 'fields of a DER, comma separated, for example W,SoC_nom_fract. Default: all' },
    out: { value: 'FILE', help: 'write to this file, which appears when complete, instead of standard output' },
    json: { help: 'write a line of JSON for each row instead of CSV' },
  },
  examples: [
    'export "My house" --from 2026-01-01 --to 2026-02-01 --resolution 15m --out january.csv',
    'export battery --from 7d --fields W,SoC_nom_fract',
    'export battery --from 6h --resolution raw --json --out battery.jsonl',
  ],
  async run({ arguments: { 'site or der': given }, options }, shell) {
    const signal = shell.untilInterrupted();
    const api = await openSession(shell);
    const { name, history, timeZone, isSite } = await findHistory(api, given);
    if (isSite) refuseForSite(options);
    const range = parseRange(options, { now: systemClock.now(), timeZone });
    const { rows, resolution: chosen } = await history({ ...range, fields: options.fields }, signal);
    const resolution = options.resolution ?? chosen;
    const columns = chooseColumns(columnsOf(rows, resolution === 'raw'), options.fields);
    const span = `from ${formatTime(range.from)} to ${formatTime(range.to)}`;
    if (rows.length === 0) {
      const noFile = options.out === undefined ? '' : ` ${options.out} was not written.`;
      shell.stderr.write(`No data for ${name} ${span}.${noFile}\n`);
      return;
    }
    const file = options.out === undefined ? standardOutput(shell) : await openExportFile(options.out);
    const form = options.json ? jsonLines : csvOf(columns);
    let count: number;
    try {
      using progress = createProgress(shell, 'Exporting');
      const copy = { history, range, resolution, fields: options.fields, form, file, signal };
      count = await copyHistory(copy, progress.show);
      await file.finish();
    } catch (error) {
      await file.discard();
      throw error;
    }
    const target = options.out ? ` to ${options.out}` : '';
    shell.stderr.write(`Exported ${count} rows of ${name} (${resolution}) ${span}${target}.\n`);
  },
});

type Found = { name: string; history: HistoryReader; timeZone: string; isSite: boolean };

async function findHistory(api: Ohmstead, given: string): Promise<Found> {
  const site = given.startsWith('der-') ? undefined : await ifFound(findSite(api, given));
  if (site) {
    const timeZone = site.timezone ?? machineTimeZone();
    return { name: site.name, history: createSiteReader(api, site.id), timeZone, isSite: true };
  }
  const der = await ifFound(findDer(api, given));
  if (!der) throw new Problem('not_found', `No site or DER is named "${given}".`);
  const { id, name, site_id } = der;
  const { timezone = machineTimeZone() } = await api.call(getSite, { params: { site_id } });
  return { name, history: createDerReader(api, id), timeZone: timezone, isSite: false };
}

function refuseForSite({ resolution, fields }: Pick<HistoryQuery, 'resolution' | 'fields'>): void {
  if (fields !== undefined)
    throw new UsageError('--fields works only for a DER; the export of a site has the power of each kind.');
  if (resolution === 'raw') {
    throw new UsageError(
      'raw works only for a DER, since the readings of a site have no common timestamps; use 1m, or export its DERs.',
    );
  }
}

/** Returns the requested columns in that order, even if they have no values. */
function chooseColumns(present: readonly string[], fields: string | undefined): readonly string[] {
  if (fields === undefined) return present;
  return fields.split(',').flatMap((name) => {
    const found = [name, `${name}_min`, `${name}_max`].filter((column) => present.includes(column));
    const known = telemetryFields.map((field) => field.name);
    if (found.length === 0 && !known.includes(name)) {
      throw new UsageError(`Unknown field ${name}${didYouMean(name, known)}`);
    }
    return found.length > 0 ? found : [name];
  });
}

export const commands = [exportHistory];
