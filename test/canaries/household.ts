import { randomBytes } from 'node:crypto';
import type { Person, TestCloud } from '../cloud/open-cloud.ts';
import { expectStatus } from '../cloud/open-cloud.ts';
import type { GatewaySigner } from '../cloud/people.ts';

/** A home in which every name contains a unique word. */
export type Household = {
  person: Person;
  gateway: GatewaySigner;
  hardwareId: string;
  der: string;
  /** in every name */
  word: string;
  /** ids that the platform assigned */
  ids: Record<'org_id' | 'site_id' | 'gateway_serial' | 'device_id' | 'der_id' | 'identity_id' | 'client_id', string>;
};

export async function openHousehold(cloud: TestCloud): Promise<Household> {
  const word = `canary${randomBytes(8).toString('hex')}`;
  const [hardwareId, der] = [`${word}-hw`, `${word}-pv`];
  const person = await cloud.person();
  const org = await cloud.organization(person, `${word} organization`);
  const gateway = await cloud.claim(person, org);
  const site = await cloud.site(person, org, { name: `${word} site`, latitude: 59.33, longitude: 18.07 });
  const device = await cloud.provision(person, site, gateway.serial, {
    hardware_id: hardwareId,
    ders: [{ name: der, type: 'solar' }],
  });
  const member = await cloud.member(person, org, 'viewer');
  const application = { name: `${word} application`, redirect_uris: [`https://${word}.example/`], confidential: true };
  const { client_id } = await expectStatus(
    201,
    cloud.call('POST', `/organizations/${org}/oauth-clients`, { as: person, body: application }),
  );
  return {
    person,
    gateway,
    hardwareId,
    der,
    word,
    ids: {
      org_id: org,
      site_id: site,
      gateway_serial: gateway.serial,
      device_id: device.id,
      der_id: device.ders[0].id,
      identity_id: member.id,
      client_id,
    },
  };
}
