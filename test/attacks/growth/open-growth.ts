import { cloudRoutes } from '#contract/cloud/routes.ts';
import { systemClock } from '#lib/clock.ts';
import { sungrowHybrid } from '#sim/modbus/banks/sungrow.ts';
import { createDevice } from '#sim/modbus/device.ts';
import { startModbusTcp } from '#sim/modbus/tcp.ts';
import { fixedHouse } from '#sim/testing/fixed-house.ts';
import { internalToken, openCloud } from '../../cloud/open-cloud.ts';
import { openGateway } from '../../gateway/open-gateway.ts';
import { startCarbonPublishers } from '../../price/carbon-publishers.ts';
import { openPrice } from '../../price/open-price.ts';
import { bodyCases } from './body-cases.ts';
import { brokerCases } from './broker-cases.ts';
import { cloudCases } from './cloud-cases.ts';
import { energyCases } from './energy-cases.ts';
import { gatewayCases } from './gateway-cases.ts';
import type { GrowthCase } from './measure.ts';
import { priceCases } from './price-cases.ts';
import { createHolding } from './registry.ts';
import { telemetryCases } from './telemetry-cases.ts';

/** No limit but those of single requests. */
const env = { RATE_ORDINARY: '1000000000', RATE_CONTROL: '1000000', INVITATIONS_PER_ORGANIZATION: '1000000' };

const serialNumber = 'SIMGROWTH01';

/** All services in this process, with everything that is measured on them. */
export async function openGrowth(): Promise<{ cases: GrowthCase[] } & AsyncDisposable> {
  await using open = new AsyncDisposableStack();
  const cloud = open.adopt(await openCloud({ env }), (opened) => opened.close());
  await cloud.start();
  await cloud.app.listen({ host: '127.0.0.1', port: 0 }); // streams need a socket
  const holding = await createHolding(cloud, 1000);
  const broker = open.adopt(await brokerCases(cloud, holding), ({ close }) => close());

  const publishers = open.use(await startCarbonPublishers({ clock: systemClock }));
  const price = open.use(await openPrice(publishers.env));

  const bank = createDevice(sungrowHybrid(serialNumber), { house: fixedHouse(), clock: systemClock });
  const inverter = open.adopt(await startModbusTcp([bank], { port: 0 }), (listener) => listener.close());
  const gateway = open.adopt(await openGateway({ HARVEST_MS: '60000' }), (opened) => opened.close());
  const device = { type: 'modbus_tcp', profile: 'sungrow', ip: inverter.host, port: inverter.port, unit_id: 1 };
  const { status } = await gateway.call('POST', '/api/devices', device);
  if (status !== 201) throw new Error(`The gateway did not add the inverter: ${status}.`);

  const sendAsOwner = async (method: string, url: string, body: string, contentType: string) =>
    (
      await cloud.call(method as 'POST', url, {
        as: holding.owner,
        body,
        headers: { 'content-type': contentType },
      })
    ).status;
  const { org, site, serial, device: deviceId, der, owner } = holding;
  const names = { org_id: org, site_id: site, serial, device_id: deviceId, der_id: der, identity_id: owner.id };
  const pathOf = (path: string): string =>
    Object.entries(names).reduce((text, [name, value]) => text.replace(`{${name}}`, value), path);

  const kept = open.move();
  return {
    cases: [
      ...telemetryCases(cloud, holding),
      ...energyCases(cloud, holding),
      ...cloudCases(cloud, holding),
      ...broker.cases,
      ...bodyCases(cloudRoutes, sendAsOwner, ({ path, access }) =>
        access === 'internal' ? `${path}?token=${encodeURIComponent(internalToken)}` : pathOf(path),
      ),
      ...priceCases(price),
      ...gatewayCases(gateway, serialNumber),
    ],
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
