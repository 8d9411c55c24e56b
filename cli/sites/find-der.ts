import type { Ohmstead } from '#contract/client/connect.ts';
import { type DeviceListing, getDer } from '#contract/cloud/devices.ts';
import { listSiteDevices, listSites } from '#contract/cloud/sites.ts';
import type { DerTypeId } from '#contract/der.ts';
import { Problem } from '#contract/problem.ts';
import { didYouMean } from '../line/nearest.ts';
import { findSite } from './find-site.ts';

export type FoundDer = { id: string; name: string; type: DerTypeId; device_id: string; site_id: string };

type Listed = FoundDer & { spellings: string[] };

/** Finds a DER by id or name; `device/der` selects one of several with the same name. */
export async function findDer(api: Ohmstead, given: string, site?: string): Promise<FoundDer> {
  if (given.startsWith('der-')) return api.call(getDer, { params: { der_id: given } });
  const listed = await listDers(api, site);
  const fitting = listed.filter(({ spellings }) => spellings.includes(given));
  const [der] = fitting;
  if (der && fitting.length === 1) return der;
  if (der) {
    const lines = fitting.map(({ id, spellings }) => `  ${id}  ${spellings[1]}`).join('\n');
    throw new Problem('conflict', `Several DERs are named "${given}"; choose one by its id:\n${lines}`);
  }
  const names = listed.flatMap(({ spellings }) => spellings);
  throw new Problem('not_found', `No DER is named "${given}"${didYouMean(given, names, '"')}`);
}

async function listDers(api: Ohmstead, site: string | undefined): Promise<Listed[]> {
  const sites = site === undefined ? await Array.fromAsync(api.pages(listSites)) : [await findSite(api, site)];
  const found: Listed[] = [];
  for (const { id: site_id } of sites) {
    for await (const device of api.pages(listSiteDevices, { params: { site_id } })) {
      found.push(...dersOf(device, site_id));
    }
  }
  return found;
}

const dersOf = ({ id: device_id, name: device, hardware_id, ders }: DeviceListing, site_id: string): Listed[] =>
  ders.map(({ id, name, type }) => ({
    id,
    name,
    type,
    device_id,
    site_id,
    spellings: [name, `${device}/${name}`, `${hardware_id}/${name}`],
  }));
