import { holder } from '../access.ts';
import { routesOf } from '../route.ts';
import { OneOf, optional, Serial, type Static, Text, Titled, Type, texts } from '../schema.ts';

const api = routesOf({ tag: 'Gateways', access: holder });

const NearbyGateway = Titled('NearbyGateway', {
  gateway_serial: Serial,
  name: Text(64),
  url: Type.String({ description: 'address of its own page' }),
  state: OneOf(['free', 'yours', 'elsewhere'], {
    description:
      'free: not claimed; yours: claimed by an organization of the caller; elsewhere: claimed on another platform',
  }),
  connected: Type.Boolean({ description: 'whether it is connected to a broker' }),
  clock_ahead_s: Type.Integer({ description: 'how far its clock is ahead of that of the platform' }),
  ...optional({ broker: Text(300, 'the broker that it uses or tries, without its password') }),
});
export type NearbyGateway = Static<typeof NearbyGateway>;

export const NearbyGateways = Titled('NearbyGateways', {
  search: OneOf(['done', 'off', 'away'], {
    description: 'off: this platform does not search; away: the caller is not on the network of the platform',
  }),
  gateways: Type.Array(NearbyGateway),
});
export type NearbyGateways = Static<typeof NearbyGateways>;

export const listNearbyGateways = api.get('/nearby/gateways', 'Find gateways on the network of the platform', {
  description:
    'The platform searches its own local network (mDNS), if `NEARBY_GATEWAYS` is on and the caller is on that network too. ' +
    'Gateways of other organizations of this platform are left out.',
  replies: { 200: NearbyGateways },
});

export const signNearbyClaim = api.post('/nearby/gateways/sign', 'Let a gateway nearby sign a claim for the caller', {
  description: 'For a gateway that `GET /nearby/gateways` lists as free. Send the reply to `POST /gateways/claim`.',
  body: Type.Object({ gateway_serial: Serial }),
  replies: { 200: Type.Object(texts('gateway_serial', 'public_key', 'message', 'signature')) },
  problems: ['conflict', 'upstream_failed', 'rate_limited'],
  budget: 'claim',
  readOnly: true, // on the platform; the gateway logs its signature
});

export const nearbyRoutes = api.all;
