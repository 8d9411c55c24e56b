import type { TestContext } from 'node:test';
import { connectGateway } from '../cloud/gateway-client.ts';
import { openCloud } from '../cloud/open-cloud.ts';

/** A platform with a home whose gateway is connected, until the test ends. */
export async function openReportingHome(t: TestContext) {
  const cloud = await openCloud();
  t.after(() => cloud.close());
  await cloud.start();
  const ada = await cloud.person();
  const org = await cloud.organization(ada);
  const site = await cloud.site(ada, org);
  const signer = await cloud.claim(ada, org);
  const gateway = await connectGateway(cloud.transport.urls.mqtt!, signer, cloud.clock.now());
  t.after(() => gateway.endAsync(true));
  return { cloud, ada, site, serial: signer.serial, gateway };
}
