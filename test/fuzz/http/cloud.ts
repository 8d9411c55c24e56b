import { buildWorld, relations, type World, worldCell } from '../../attacks/world.ts';
import { internalToken, openCloud } from '../../cloud/open-cloud.ts';
import { ed25519 } from '../../cloud/people.ts';
import { type FuzzService, liveDocument } from './service.ts';

const enough = '1000000000';
const kinds: Record<string, keyof World['targets']['own']> = {
  org_id: 'organization',
  org_ids: 'organization',
  site_id: 'site',
  serial: 'gateway',
  gateway_serial: 'gateway',
  device_id: 'device',
  der_id: 'der',
  identity_id: 'member',
  client_id: 'client',
};
const things: Record<string, readonly unknown[]> = {
  id: ['solar', 'battery', 'nothing'],
  h3_index: [worldCell, '861f1d48fffffff'],
  public_key: Array.from({ length: 5 }, () => ed25519().publicKey),
  fields: ['W', 'W,V', 'nothing'],
  from: ['2026-06-01T00:00:00Z', '1780315200', '0'],
  to: ['2026-06-02T00:00:00Z', '1780315200000'],
  redirect_uris: [['https://new.example/callback']],
  redirect_uri: ['https://new.example/callback'],
};

export type FuzzCloud = FuzzService & { cloud: Awaited<ReturnType<typeof openCloud>>; world(): World };

/** The platform with two neighbours and every kind of caller. */
export async function openFuzzCloud(): Promise<FuzzCloud> {
  const rates = ['RATE_ORDINARY', 'RATE_REGISTER', 'RATE_LOGIN', 'RATE_CLAIM', 'RATE_CONTROL'];
  const quotas = [
    'ORGANIZATIONS_PER_IDENTITY',
    'SITES_PER_ORGANIZATION',
    'DERS_PER_DEVICE',
    'INVITATIONS_PER_ORGANIZATION',
    'OAUTH_CLIENTS_PER_ORGANIZATION',
  ];
  const cloud = await openCloud({ env: Object.fromEntries([...rates, ...quotas].map((name) => [name, enough])) });
  await cloud.start();
  const url = await cloud.app.listen({ host: '127.0.0.1', port: 0 });
  let world = await buildWorld(cloud);

  return {
    name: 'cloud',
    cloud,
    world: () => world,
    document: await liveDocument(cloud.app),
    credentials: () => ({
      ...Object.fromEntries(
        Object.entries(world.actors).map(([name, { token }]) => [name, token === '' ? '' : `Bearer ${token}`]),
      ),
      'a broker': `Bearer ${internalToken}`,
      nonsense: 'Bearer abc.def.ghi',
      'another scheme': 'Basic eDp5',
    }),
    known(name) {
      const kind = kinds[name];
      if (!kind) return things[name] ?? [];
      const ids = relations.flatMap((relation) => world.targets[relation][kind]?.id ?? []);
      return [ids[0], ids[0], ids[0], ...ids];
    },
    names: () =>
      Object.fromEntries(
        relations.flatMap((relation) =>
          Object.entries(world.targets[relation]).map(([kind, { id }]) => [`${relation} ${kind}`, id]),
        ),
      ),
    appOf: () => cloud.app,
    url,
    async renew() {
      world = await buildWorld(cloud);
    },
    [Symbol.asyncDispose]: () => cloud.close(),
  };
}
