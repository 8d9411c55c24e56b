import type { IClientOptions, MqttClient } from 'mqtt';
import { openCloud } from '#test/cloud/open-cloud.ts';
import type { GatewaySigner } from '#test/cloud/people.ts';
import { type BrokerChanges, connectGateway, openBroker } from './trial.ts';

/** A broker, and an owner with a gateway that it lets in. */
export async function openBrokerHome(changes: BrokerChanges = {}) {
  const cloud = await openCloud();
  const trial = await openBroker(cloud, changes);
  const owner = await cloud.person();
  const orgId = await cloud.organization(owner);
  const gateway = await cloud.claim(owner, orgId);
  const clients: MqttClient[] = [];

  async function enter(as: GatewaySigner, options: IClientOptions = {}): Promise<MqttClient> {
    const client = await connectGateway(trial.url, as, cloud.clock.now(), options);
    clients.push(client);
    return client;
  }
  async function sendAway(): Promise<void> {
    await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
  }

  return {
    cloud,
    trial,
    owner,
    orgId,
    gateway,
    /** disconnected at the end */
    clients,
    enter,
    sendAway,
    async close(): Promise<void> {
      await sendAway();
      await trial.broker.close();
      await cloud.close();
    },
  };
}
