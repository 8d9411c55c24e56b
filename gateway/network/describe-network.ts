import type { Form } from '#contract/gateway/form.ts';
import type { Network } from '#contract/gateway/network.ts';
import { defaultInterface, localAddress } from './addresses.ts';
import type { Wifi } from './wifi.ts';

export type NetworkSources = { wifi: Pick<Wifi, 'look'>; mqttConnected(): boolean };

export async function describeNetwork({ wifi, mqttConnected }: NetworkSources, form: Form): Promise<Network> {
  const [state, wayOut] = await Promise.all([wifi.look(), defaultInterface()]);
  const wifiConnected = state.status === 'connected';
  const localIP = localAddress(wifiConnected ? state.device : undefined, wayOut);
  return {
    wifiStatus: state.status,
    wifiConnected,
    ...(localIP !== undefined && { localIP }),
    ...(state.joined && { ssid: state.joined.ssid, rssi: state.joined.rssi }),
    internetConnected: mqttConnected() || wayOut !== undefined,
    ...(form === 'later' && { mqttConnected: mqttConnected() }),
  };
}
