import type { Static } from 'typebox';
import { signedIn } from './access.ts';
import { connectionTypeNames } from './gateway/connections.ts';
import { route } from './route.ts';
import { Type } from './schema.ts';
import { Nullable, OneOf, Text, Timestamp } from './text.ts';

const tag = 'Simulation';

const faults = {
  silence: 'no answer, no message',
  late: 'after two seconds',
  'wrong-unit': 'the answer names another unit',
  'wrong-transaction': 'the answer to another question',
  exception: 'Modbus: the request is refused; MQTT: a command is refused',
  'cut-frame': 'only the first half',
  'bit-flip': 'one bit in the middle is wrong',
  garbage: 'other bytes altogether',
  close: 'the connection ends instead',
  flood: 'the message many times over',
} as const;

export type FaultKind = keyof typeof faults;

/** What can be made to go wrong on a wire. */
export const faultKinds = Object.keys(faults) as FaultKind[];

const FaultOrNone = Type.Unsafe<FaultKind | null>({
  type: ['string', 'null'],
  enum: [...faultKinds, null],
  description: Object.entries(faults)
    .map(([kind, says]) => `${kind}: ${says}`)
    .join('; '),
});

const watts = (description: string) => Type.Number({ description: `W; ${description}` });
const fraction = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const soc_fract = fraction('state of charge');
const clouds = fraction('0 is a clear sky, 1 an overcast one');
const sun_hour = Type.Number({
  minimum: 0,
  maximum: 24,
  description: 'hours since midnight by the sun, which is highest at 12',
});
const extra_load_w = Type.Number({ minimum: 0, maximum: 20_000, description: 'W; switched on beside the usual load' });
const charge_w = Nullable(
  Type.Number({
    minimum: 0,
    maximum: 11_000,
    description: 'W; what the car takes while nobody controls the charger; null is its own plan, at night',
  }),
);

const Weather = Type.Object({
  sun_hour,
  sun_hour_played: Type.Boolean({ description: 'the sun stands still at that hour; false when it follows the clock' }),
  sun_elevation_deg: Type.Number({ description: 'over the horizon; negative at night' }),
  clouds,
  clouds_played: Type.Boolean({ description: 'false when the sky has its own weather' }),
  sunshine_fract: fraction('share of what panels give at most'),
});

const Home = Type.Object({
  grid_w: watts('the sum of the four below; positive is import'),
  pv_w: watts('zero or negative'),
  load_w: watts('the extra load included'),
  battery: Type.Object({ power_w: watts('positive is charging'), soc_fract }),
  car: Type.Object({
    connected: Type.Boolean(),
    connected_played: Type.Boolean({ description: 'false when it comes and goes by itself' }),
    power_w: watts('positive is charging'),
    soc_fract,
    charge_w,
  }),
  extra_load_w,
});

const Street = Type.Object({
  houses: Type.Integer({ description: 'beside the home' }),
  grid_w: watts('of all of them; positive is import'),
  pv_w: watts('zero or negative'),
  load_w: watts('what is used in them'),
});

const PlayedDevice = Type.Object({
  sn: Type.String({ description: 'as the gateway and the platform know it' }),
  name: Type.String(),
  model: Type.String(),
  connection: OneOf(connectionTypeNames),
  fault: FaultOrNone,
  faults: Type.Array(OneOf(faultKinds), { description: 'what can go wrong on its wire' }),
});

/** The simulated home and its street as they truly are, whatever their devices tell. */
export const Simulation = Type.Object(
  {
    simulated: Type.Literal(true),
    time: Timestamp,
    weather: Weather,
    home: Home,
    street: Street,
    devices: Type.Array(PlayedDevice),
  },
  { title: 'Simulation' },
);
export type Simulation = Static<typeof Simulation>;

export const getSimulation = route({
  method: 'GET',
  path: '/simulation',
  tag,
  summary: 'The simulated home and its street, as they truly are now',
  description: 'Powers have the signs of the platform: positive flows into the thing measured.',
  access: 'public',
  replies: { 200: Simulation },
  problems: ['unavailable'],
});

export const playWeather = route({
  method: 'PUT',
  path: '/simulation/weather',
  tag,
  summary: 'Choose clouds and the hour of the sun, for the home and the street',
  description:
    'What is left out stays as it is; null gives it back to the weather and the clock. Load and car keep to the clock.',
  access: signedIn,
  body: Type.Object({ clouds: Type.Optional(Nullable(clouds)), sun_hour: Type.Optional(Nullable(sun_hour)) }),
  replies: { 200: Simulation },
  problems: ['unavailable'],
});

export const playHome = route({
  method: 'PUT',
  path: '/simulation/home',
  tag,
  summary: 'Switch something on in the home, or move its car',
  description: 'What is left out stays as it is; null gives it back to the habits of the home.',
  access: signedIn,
  body: Type.Object({
    extra_load_w: Type.Optional(extra_load_w),
    car: Type.Optional(
      Type.Object({ connected: Type.Optional(Nullable(Type.Boolean())), charge_w: Type.Optional(charge_w) }),
    ),
  }),
  replies: { 200: Simulation },
  problems: ['unavailable'],
});

export const playFault = route({
  method: 'PUT',
  path: '/simulation/devices/{sn}/fault',
  tag,
  summary: 'Break the wire of a simulated device, or mend it',
  description: 'The fault lasts until it is set to null. The gateway meets it as it would meet that of a real device.',
  access: signedIn,
  params: Type.Object({ sn: Text(128) }),
  body: Type.Object({ fault: FaultOrNone }),
  replies: { 200: Simulation },
  problems: ['not_found', 'unprocessable', 'unavailable'],
});

export const resetSimulation = route({
  method: 'POST',
  path: '/simulation/reset',
  tag,
  summary: 'Mend every wire, and leave weather and home to themselves',
  access: signedIn,
  replies: { 200: Simulation },
  problems: ['unavailable'],
});

export const visitSimulation = route({
  method: 'POST',
  path: '/simulation/visit',
  tag,
  summary: 'A token of the owner of the simulated home, for a look around',
  description: 'Only on the machine that plays, at localhost or its loopback addresses.',
  access: 'public',
  replies: { 200: Type.Object({ token: Type.String(), identity_id: Type.String(), expires_at: Timestamp }) },
  problems: ['forbidden', 'unavailable'],
  readOnly: true,
  budget: 'login',
});

/** Served beside the cloud while a simulation runs. */
export const simulationRoutes = [visitSimulation, getSimulation, playWeather, playHome, playFault, resetSimulation];
