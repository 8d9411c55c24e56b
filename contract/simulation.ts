import { signedIn } from './access.ts';
import { connectionTypeNames } from './gateway/connections.ts';
import { routesOf } from './route.ts';
import {
  keysOf,
  Nullable,
  NumberIn,
  OneOf,
  optional,
  type Static,
  Text,
  Timestamp,
  Titled,
  Type,
  texts,
} from './schema.ts';

const api = routesOf({ tag: 'Simulation', access: 'public' });

const faults = {
  silence: 'no response and no messages',
  late: 'responses two seconds late',
  'wrong-unit': 'response with another unit id',
  'wrong-transaction': 'response to another request',
  exception: 'Modbus exception response; MQTT: command rejected',
  'cut-frame': 'only the first half of a frame',
  'bit-flip': 'one flipped bit',
  garbage: 'random bytes',
  close: 'connection closed',
  flood: 'message repeated many times',
} as const;

export type FaultKind = keyof typeof faults;

export const faultKinds: readonly FaultKind[] = keysOf(faults);

const FaultOrNone = Type.Unsafe<FaultKind | null>({
  type: ['string', 'null'],
  enum: [...faultKinds, null],
  description: Object.entries(faults)
    .map(([kind, says]) => `${kind}: ${says}`)
    .join('; '),
});

const watts = (description: string) => Type.Number({ description: `W; ${description}` });
const fraction = (description: string) => NumberIn(0, 1, description);
const soc_fract = fraction('state of charge');
const clouds = fraction('cloud cover: 0 is clear, 1 is overcast');
const sun_hour = NumberIn(0, 24, 'solar time in hours; the sun is highest at 12');
const extra_load_w = NumberIn(0, 20_000, 'W; additional load');
const charge_w = Nullable(
  NumberIn(0, 11_000, 'W; charging power while the charger is not controlled; null for the default schedule at night'),
);

const Weather = Type.Object({
  sun_hour,
  sun_hour_played: Type.Boolean({ description: 'whether the hour of the sun is fixed; false if it follows the clock' }),
  sun_elevation_deg: Type.Number({ description: 'elevation above the horizon; negative at night' }),
  clouds,
  clouds_played: Type.Boolean({ description: 'whether the cloud cover is fixed; false for simulated weather' }),
  sunshine_fract: fraction('share of the maximum solar output'),
});

const Home = Type.Object({
  grid_w: watts('sum of the following four; positive is import'),
  pv_w: watts('zero or negative'),
  load_w: watts('including the extra load'),
  battery: Type.Object({ power_w: watts('positive is charging'), soc_fract }),
  car: Type.Object({
    connected: Type.Boolean(),
    connected_played: Type.Boolean({
      description: 'whether the connection is fixed; false if the car comes and goes by schedule',
    }),
    power_w: watts('positive is charging'),
    soc_fract,
    charge_w,
  }),
  extra_load_w,
});

const Street = Type.Object({
  houses: Type.Integer({ description: 'neighbouring houses' }),
  grid_w: watts('total of all houses; positive is import'),
  pv_w: watts('zero or negative'),
  load_w: watts('consumption of all houses'),
});

const PlayedDevice = Type.Object({
  sn: Type.String({ description: 'serial on the gateway and the platform' }),
  ...texts('name', 'model'),
  connection: OneOf(connectionTypeNames),
  fault: FaultOrNone,
  faults: Type.Array(OneOf(faultKinds), { description: 'faults that its connection supports' }),
});

/** The true state of the simulated home and street, regardless of what the devices report. */
export const Simulation = Titled('Simulation', {
  simulated: Type.Literal(true),
  time: Timestamp,
  weather: Weather,
  home: Home,
  street: Street,
  devices: Type.Array(PlayedDevice),
});
export type Simulation = Static<typeof Simulation>;

export const visitSimulation = api.post('/simulation/visit', 'Get an access token of the owner of the simulated home', {
  description: 'Only for requests from the same machine, over localhost or its loopback addresses.',
  replies: { 200: Type.Object({ token: Type.String(), identity_id: Type.String(), expires_at: Timestamp }) },
  problems: ['forbidden', 'unavailable'],
  readOnly: true,
  budget: 'login',
});

export const getSimulation = api.get('/simulation', 'Get the true state of the simulated home and street', {
  description: 'Power has the signs of the platform: positive flows into the measured object.',
  replies: { 200: Simulation },
  problems: ['unavailable'],
});

const player = routesOf({ tag: 'Simulation', access: signedIn, replies: { 200: Simulation } }, api.all);

export const playWeather = player.put('/simulation/weather', 'Set cloud cover and the hour of the sun', {
  description:
    'Omitted fields stay unchanged; null returns them to the simulated weather and clock. Load and car always follow the clock.',
  body: Type.Object(optional({ clouds: Nullable(clouds), sun_hour: Nullable(sun_hour) })),
  problems: ['unavailable'],
});

export const playHome = player.put('/simulation/home', 'Change the extra load or the car of the home', {
  description: 'Omitted fields stay unchanged; null returns them to the schedule of the home.',
  body: Type.Object(
    optional({
      extra_load_w,
      car: Type.Object(optional({ connected: Nullable(Type.Boolean()), charge_w })),
    }),
  ),
  problems: ['unavailable'],
});

export const playFault = player.put('/simulation/devices/{sn}/fault', 'Set or clear a fault of a simulated device', {
  description:
    'The fault is on the connection and lasts until set to null. To the gateway it looks like that of a real device.',
  params: Type.Object({ sn: Text(128) }),
  body: Type.Object({ fault: FaultOrNone }),
  problems: ['not_found', 'unprocessable', 'unavailable'],
});

export const resetSimulation = player.post('/simulation/reset', 'Clear all faults and reset weather and home', {
  problems: ['unavailable'],
});

/** Routes added to the cloud while a simulation runs. */
export const simulationRoutes = api.all;
