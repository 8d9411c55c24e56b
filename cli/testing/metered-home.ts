import { composeClaim } from '#contract/claim.ts';
import { provisionDevice } from '#contract/cloud/devices.ts';
import { quarterMs } from '#contract/cloud/energy.ts';
import { claimGateway } from '#contract/cloud/gateways.ts';
import { listSites } from '#contract/cloud/sites.ts';
import { formatTime, minuteMs } from '#contract/time.ts';
import { connectGateway } from '#test/cloud/gateway-client.ts';
import { p256 } from '#test/cloud/people.ts';
import { openSession } from '../sign-in/session.ts';
import { openShell } from './in-process.ts';
import type { openPlatform } from './people.ts';

/** Claims a new gateway, and returns its key. */
export async function claimNew(api: Awaited<ReturnType<typeof openSession>>, org_id: string) {
  const signer = p256();
  const { serial: gateway_serial, publicKey: public_key } = signer;
  const claim = { claimerId: api.identityId, nonce: 'n', timestamp: formatTime(Date.now()), serial: gateway_serial };
  const message = composeClaim(claim);
  await api.call(claimGateway, {
    body: { org_id, gateway_serial, public_key, message, signature: signer.sign(message) },
  });
  return signer;
}

/** A user with a house in SE3 whose meter had 4 kW for three quarters of an hour, two hours ago. */
export async function openMeteredHome(platform: Awaited<ReturnType<typeof openPlatform>>, ...siteOptions: string[]) {
  const person = await platform.person();
  await person.run('org', 'create', 'Home');
  const place = ['--price-area', 'SE3', '--timezone', 'Europe/Stockholm', ...siteOptions];
  await person.run('site', 'create', 'House', ...place);
  const api = await openSession(openShell(person.env).shell);
  const [site] = await Array.fromAsync(api.pages(listSites, { query: {} }));
  const { id: site_id, org_id } = site!;
  const signer = await claimNew(api, org_id);
  const { serial: gateway_serial } = signer;
  const ders = [{ name: 'meter', type: 'meter' }];
  await api.call(provisionDevice, {
    body: { gateway_serial, site_id, device_type: 'energy_meter', hardware_id: 'M1', name: 'Meter', ders },
  });
  const begin = Math.floor(Date.now() / quarterMs) * quarterMs - 8 * quarterMs;
  const gateway = await connectGateway(platform.mqttUrl, signer, Date.now());
  try {
    for (let at = begin; at <= begin + 3 * quarterMs; at += 5 * minuteMs)
      await gateway.report('M1', 'meter', { type: 'meter', timestamp: at, W: 4000 });
  } finally {
    await gateway.endAsync(true);
  }
  return { person, api, signer, begin, end: begin + 4 * quarterMs };
}
