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
import { configOption, configuredEnv } from '../configuration/configured-env.ts';
import { command, type Option, type OptionValues, type Shell, UsageError } from '../line/command.ts';
import { columns } from '../terminal/output.ts';
import { findTariffs } from './tariffs-find.ts';

const folderOptions = {
  config: configOption,
  folder: { value: 'DIR', help: 'folder of your own tariff files; overrides TARIFF_DIR' },
} as const satisfies Record<string, Option>;

const importTariffs = command('tariffs import', {
  summary: 'Import the tariffs of a grid operator from its Eltariff API (0.2.0 and 0.3.x)',
  arguments: [{ name: 'url', help: 'base address of the API, without /tariffs' }],
  options: {
    ...folderOptions,
    id: { value: 'ID', help: 'id of the provider. Default: derived from the company' },
    company: { value: 'NAME', help: 'name or organisation number, if the API serves several companies' },
  },
  examples: [
    'tariffs import https://api.goteborgenergi.cloud/gridtariff/v0 --folder tariffs',
    'tariffs import https://apim.kraftringen.se/customer/tariffs',
    'tariffs import https://api.tekniskaverken.net/subscription/public/v0 --company 556483-4926',
  ],
  async run({ arguments: { url }, options }, shell) {
    const folder = await folderOf(options, shell);
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
    const { warnings } = checkFile(path, text, today()); // never write a file that would be refused
    await mkdir(folder, { recursive: true });
    await writeAtomic(path, text, { mode: 0o644 });
    shell.stdout.write(
      `Wrote ${imported.tariffs.length} tariffs of ${name} to ${path}.\n${lines('Warnings:', warnings)}`,
    );
  },
});

const checkTariffs = command('tariffs check', {
  summary: 'Check a tariff file and summarise it',
  arguments: [{ name: 'file', help: 'tariff file of one provider: a price list or a response of an Eltariff API' }],
  options: {},
  examples: ['tariffs check tariffs/ellevio.json'],
  async run({ arguments: { file } }, shell) {
    const { checkFile } = await import('#price/tariffs/check-file.ts');
    const text = await readFile(file, 'utf8');
    try {
      const { provider, summary, warnings } = checkFile(file, text, today());
      const table = summary.map(({ name, valid, fuses, fixed, energy, power }) => [
        name,
        valid,
        fuses,
        `${fixed} fixed`,
        `${energy} energy`,
        `${power} power`,
      ]);
      const head = `${provider.name} (${provider.id}), ${summary.length} tariffs:`;
      shell.stdout.write(`${head}\n${columns(table)}\n${lines('Warnings:', warnings)}`);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const mistakes = (error.details.errors ?? []).map(fieldWords);
      shell.stdout.write(`${file} is invalid.\n${lines('Mistakes:', mistakes)}`);
      shell.exitCode = 1;
    }
  },
});

const importAreas = command('tariffs import-areas', {
  summary: 'Import the concession areas of grid operators from GeoJSON, in WGS 84 or SWEREF 99 TM',
  arguments: [{ name: 'geojson', help: 'GeoJSON file of the regulator, with a polygon and a company for each area' }],
  options: {
    ...folderOptions,
    'company-field': { value: 'NAME', help: 'property with the name of the company. Default: detected' },
    'id-field': { value: 'NAME', help: 'property with the id of the area' },
  },
  examples: ['tariffs import-areas natomraden.geojson --folder tariffs'],
  async run({ arguments: { geojson }, options }, shell) {
    const folder = await folderOf(options, shell);
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
    shell.stdout.write(
      `${areas.areas.length} areas of ${companies} companies written to ${path}; restart the price service to use them.\n`,
    );
  },
});

const today = (): string => new Date(systemClock.now()).toISOString().slice(0, 10);

const lines = (head: string, texts: readonly string[]): string =>
  texts.length === 0 ? '' : `${head}\n${texts.map((text) => `  ${text}\n`).join('')}`;

async function folderOf({ config, folder: given }: OptionValues<typeof folderOptions>, shell: Shell): Promise<string> {
  const set = { TARIFF_DIR: given };
  const env = await configuredEnv(shell, { config, programs: ['price'], set });
  const { TARIFF_DIR: folder } = readConfig(PriceConfig, env);
  if (!folder) throw new UsageError('Give the folder to write to with --folder DIR or TARIFF_DIR.');
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

/** Finds providers by company: from the shipped map, which was matched by hand, else by name. */
async function providersByCompany({ providers }: TariffBook): Promise<(company: string) => string | undefined> {
  const { concessionsFile, shippedPlaces } = await import('#price/tariffs/places/places.ts');
  const shipped: AreaFile = JSON.parse(await readFile(join(shippedPlaces, concessionsFile), 'utf8'));
  const known = new Map([
    ...shipped.areas.map(({ operator, provider }) => [operator, provider] as const),
    ...providers.map(({ name, id }) => [name, id] as const),
  ]);
  return (company) => known.get(company);
}

export const commands = [findTariffs, importTariffs, checkTariffs, importAreas];
