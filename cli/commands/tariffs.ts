import { mkdir, readFile } from 'node:fs/promises';
import { join, parse, resolve } from 'node:path';
import { fieldWords, Problem } from '#contract/problem.ts';
import { writeAtomic } from '#lib/atomic-file.ts';
import { systemClock } from '#lib/clock.ts';
import { readConfig } from '#lib/config.ts';
import { createLog } from '#lib/log.ts';
import { PriceConfig } from '#price/config.ts';
import type { AreaFile } from '#price/tariffs/places/area-file.ts';
import type { TariffBook } from '#price/tariffs/tariff-book.ts';
import { configOption } from '../configuration/config-file.ts';
import { configuredEnv } from '../configuration/configured-env.ts';
import { command, type Option, type Shell } from '../line/command.ts';
import { UsageError } from '../line/usage-error.ts';
import { columns } from '../terminal/output.ts';
import { findTariffs } from './tariffs-find.ts';

const folderOptions = {
  config: configOption,
  folder: { value: 'DIR', says: 'folder of your own tariff files, instead of TARIFF_DIR' },
} as const satisfies Record<string, Option>;

const importTariffs = command({
  name: 'tariffs import',
  summary: 'Take the tariffs of a grid operator from its own Eltariff API (0.2.0 and 0.3.x)',
  arguments: [{ name: 'url', says: 'of the API; what stands before /tariffs' }],
  options: {
    ...folderOptions,
    id: { value: 'ID', says: 'of the provider; else it follows from the company' },
    company: { value: 'NAME', says: 'or organisation number, where the API serves several companies' },
  },
  examples: [
    'tariffs import https://api.goteborgenergi.cloud/gridtariff/v0 --folder tariffs',
    'tariffs import https://apim.kraftringen.se/customer/tariffs',
    'tariffs import https://api.tekniskaverken.net/subscription/public/v0 --company 556483-4926',
  ],
  async run({ arguments: { url }, options }, shell) {
    const folder = await folderOf(options, shell, 'tariffs import');
    const { importApi } = await import('#price/tariffs/import-api.ts');
    const book = await knownBook(folder);
    const imported = await importApi(url, {
      ...(options.id && { id: options.id }),
      ...(options.company && { company: options.company }),
      knownId: (orgNo) => book.providers.find(({ tariffs }) => tariffs[0]?.companyOrgNo === orgNo)?.id,
      importedAt: new Date(systemClock.now()).toISOString(),
    });
    const { id, name } = imported.provider;
    const path = join(folder, `${id}.json`);
    const text = `${JSON.stringify(imported, null, 1)}\n`;
    const { checkFile } = await import('#price/tariffs/check-file.ts');
    const { warnings: doubts } = checkFile(path, text, today()); // nothing is written that would be refused
    await mkdir(folder, { recursive: true });
    await writeAtomic(path, text, { mode: 0o644 });
    shell.stdout.write(`${imported.tariffs.length} tariffs of ${name} are in ${path}.\n${lines('Doubtful:', doubts)}`);
  },
});

const checkTariffs = command({
  name: 'tariffs check',
  summary: 'Tell whether a tariff file can be used, and what it says',
  arguments: [{ name: 'file', says: 'of one provider: a price list, or what an Eltariff API answers' }],
  options: {},
  examples: ['tariffs check tariffs/ellevio.json'],
  async run({ arguments: { file } }, shell) {
    const { checkFile } = await import('#price/tariffs/check-file.ts');
    const text = await readFile(file, 'utf8');
    try {
      const { provider, summary, warnings: doubts } = checkFile(file, text, today());
      const table = summary.map(({ name, valid, fuses, fixed, energy, power }) => [
        name,
        valid,
        fuses,
        `${fixed} fixed`,
        `${energy} energy`,
        `${power} power`,
      ]);
      const head = `${provider.name} (${provider.id}), ${summary.length} tariffs:`;
      shell.stdout.write(`${head}\n${columns(table)}\n${lines('Doubtful:', doubts)}`);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const mistakes = (error.details.errors ?? []).map(fieldWords);
      shell.stdout.write(`${file} cannot be used.\n${lines('Wrong:', mistakes)}`);
      shell.exitCode = 1;
    }
  },
});

const importAreas = command({
  name: 'tariffs import-areas',
  summary: 'Take the concession areas of the grids from a GeoJSON, in WGS 84 or SWEREF 99 TM',
  arguments: [{ name: 'geojson', says: 'of the regulator, a polygon with its company for each area' }],
  options: {
    ...folderOptions,
    'company-field': { value: 'NAME', says: 'property that names the company; found by itself when left out' },
    'id-field': { value: 'NAME', says: 'property with the id of the area' },
  },
  examples: ['tariffs import-areas natomraden.geojson --folder tariffs'],
  async run({ arguments: { geojson }, options }, shell) {
    const folder = await folderOf(options, shell, 'tariffs import-areas');
    const { areasOf } = await import('#price/tariffs/places/import-areas.ts');
    const areas = areasOf(parseGeoJson(geojson, await readFile(geojson, 'utf8')), {
      source: parse(geojson).base,
      ...(options['company-field'] && { companyField: options['company-field'] }),
      ...(options['id-field'] && { idField: options['id-field'] }),
      providerOf: await providersByCompany(await knownBook(folder)),
    });
    const path = join(folder, 'places', 'concessions.json');
    await mkdir(join(folder, 'places'), { recursive: true });
    await writeAtomic(path, `${JSON.stringify(areas)}\n`, { mode: 0o644 });
    const companies = new Set(areas.areas.map(({ provider }) => provider)).size;
    shell.stdout.write(`${areas.areas.length} areas of ${companies} companies are in ${path}; used after a restart.\n`);
  },
});

const today = (): string => new Date(systemClock.now()).toISOString().slice(0, 10);

const lines = (head: string, texts: readonly string[]): string =>
  texts.length === 0 ? '' : `${head}\n${texts.map((text) => `  ${text}\n`).join('')}`;

type FolderOptions = { config: string | undefined; folder: string | undefined };

async function folderOf({ config, folder: given }: FolderOptions, shell: Shell, name: string): Promise<string> {
  const set = { TARIFF_DIR: given };
  const env = await configuredEnv(shell, { config, programs: ['price'], set });
  const { TARIFF_DIR: folder } = readConfig(PriceConfig, env);
  if (!folder) throw new UsageError('Say where the file goes: --folder DIR, or TARIFF_DIR.', name);
  return resolve(folder);
}

function parseGeoJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Problem('unprocessable', `${path} is not JSON.`, {}, { cause });
  }
}

async function knownBook(ownFolder: string): Promise<TariffBook> {
  const { openTariffs, shippedTariffs } = await import('#price/tariffs/tariffs.ts');
  const log = createLog({ level: 'silent', name: 'tariffs' });
  const tariffs = openTariffs({ folder: shippedTariffs, ownFolder, clock: systemClock, log });
  await tariffs.scan();
  return tariffs.book();
}

/** By the map that is shipped, which was matched by hand, else by the name of a provider. */
async function providersByCompany({ providers }: TariffBook): Promise<(company: string) => string | undefined> {
  const { concessionsFile, shippedPlaces } = await import('#price/tariffs/places/places.ts');
  const shipped = JSON.parse(await readFile(join(shippedPlaces, concessionsFile), 'utf8')) as AreaFile;
  const known = new Map([
    ...shipped.areas.map(({ operator, provider }) => [operator, provider] as const),
    ...providers.map(({ name, id }) => [name, id] as const),
  ]);
  return (company) => known.get(company);
}

export const tariffCommands = [findTariffs, importTariffs, checkTariffs, importAreas];
