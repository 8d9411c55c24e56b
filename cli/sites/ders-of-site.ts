import type { SiteDetails } from '#contract/cloud/sites.ts';
import type { DerTypeId } from '#contract/der.ts';

export type NamedDer = { name: string; type: DerTypeId };

type Read = { der_id: string; der_name: string; der_type: DerTypeId };

export type DersOfSite = {
  /** by id, in the order of the site */
  all: ReadonlyMap<string, NamedDer>;
  /** One that was provisioned meanwhile is taken up. */
  of(reading: Read): NamedDer;
};

/** What the DERs of a site are called: by the device too where one name is not enough. */
export function namesOfDers({ devices }: Pick<SiteDetails, 'devices'>): DersOfSite {
  const listed = devices.flatMap((device) => device.ders.map((der) => ({ device, der })));
  const uses = Map.groupBy(listed, ({ der }) => der.name);
  const all = new Map<string, NamedDer>(
    listed.map(({ device, der }) => [
      der.id,
      { name: uses.get(der.name)!.length > 1 ? `${device.name}/${der.name}` : der.name, type: der.type },
    ]),
  );
  return {
    all,
    of({ der_id, der_name, der_type }) {
      const known = all.get(der_id) ?? { name: der_name, type: der_type };
      all.set(der_id, known);
      return known;
    },
  };
}
