import { routesOf } from '../route.ts';
import { IntegerIn, NumberIn, OneOf, optional, Sn, Type, texts } from '../schema.ts';
import { Message, probe } from './form.ts';
import { endpoint } from './network.ts';

const tag = 'Registers';
const local = routesOf({ tag, access: 'local' });
const guarded = routesOf({ tag, access: 'guarded' }, local.all);

export const registerTypes = ['u16', 'i16', 'u32', 'i32', 'f32', 'u64', 'i64', 'str'] as const;
export type RegisterValueType = (typeof registerTypes)[number];

const Address = IntegerIn(0, 65_535);

const RegisterParams = Type.Object({ sn: Sn, address: Address });

const Word = IntegerIn(-32_768, 65_535); // signed or unsigned

const Typed = Type.Object({
  address: Address,
  value: Type.Unsafe<number | string>({
    type: ['number', 'string'],
    description: 'text for str and for integers too large for a JSON number',
  }),
  type: OneOf(registerTypes),
  registers: Type.Integer({ description: 'number of registers read' }),
});

const Listed = Type.Object({
  address: Address,
  count: Type.Integer(),
  values: Type.Array(Type.String({ description: '0x1A2B' })),
});

export const readRegister = local.get('/api/devices/{sn}/registers/{address}', 'Read a register', {
  description: 'With size and without type, lists registers in hexadecimal.',
  params: RegisterParams,
  query: Type.Object(
    optional({
      type: OneOf(registerTypes, { description: 'u16 by default' }),
      size: IntegerIn(1, 125, 'number of registers; required for str'),
      endianness: OneOf(['little', 'big'], { description: 'word order; little by default' }),
      scale_factor: NumberIn(-1e12, 1e12, '1 by default; not for str'),
      function_code: IntegerIn(3, 4, '3=holding, 4=input; 4 by default'),
    }),
  ),
  replies: { 200: Type.Union([Typed, Listed]) },
  problems: ['not_found', 'device_failed', 'device_busy'],
});

export const writeRegister = guarded.post('/api/devices/{sn}/registers/{address}', 'Write a holding register', {
  params: RegisterParams,
  body: Type.Object({ value: Word }),
  replies: { 200: Type.Object({ message: Type.String(), address: Address, value: Type.Integer() }) },
  problems: ['not_found', 'device_failed', 'device_busy'],
});

const Written = Type.Object({
  written: Type.Integer(),
  failed: Type.Integer(),
  errors: Type.Array(Type.Object({ address: Type.Integer(), message: Type.String() })),
});

const WrittenEarlier = Type.Object({ message: Type.String(), success: Type.Integer(), failed: Type.Integer() });

const NotWritten = Type.Object({
  status: OneOf(['error']),
  ...texts('error', 'message'),
  ...Written.properties,
});

export const writeRegisters = guarded.post('/api/devices/{sn}/registers', 'Write holding registers', {
  description:
    'Writes in request order, 50 ms apart. Later form: {"registers": {"<address>": value, …}}; the reply has written and failed. Earlier form: the flat object ' +
    '{"<address>": value, …}; the reply has success and failed, with status 207 if some failed.',
  body: Type.Record(Type.String(), Type.Unknown()),
  replies: { 200: Type.Union([Written, WrittenEarlier]), 207: WrittenEarlier, 500: NotWritten },
  problems: ['not_found', 'device_busy'],
});

export const writeLegacy = guarded.post('/api/devices/{sn}/write', 'Write a holding register (earlier form)', {
  body: Type.Object({ addr: Address, value: Word }),
  replies: { 200: Message },
  problems: ['not_found', 'device_busy'],
});

export const readModbus = guarded.post('/api/modbus/read', 'Read registers of any Modbus device on the local network', {
  ...probe,
  readOnly: true,
  body: Type.Object({
    ip: endpoint.host,
    port: endpoint.port,
    unit_id: IntegerIn(0, 255),
    register: Address,
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 125, default: 1 })),
    register_type: Type.Optional(OneOf(['holding', 'input'], { description: 'holding by default' })),
  }),
  replies: {
    200: Type.Object({
      ip: Type.String(),
      port: Type.Integer(),
      unit_id: Type.Integer(),
      register: Type.Integer(),
      register_type: OneOf(['holding', 'input']),
      values: Type.Array(Type.Integer()),
    }),
  },
  problems: ['upstream_failed', 'rate_limited'],
});

export const registerRoutes = local.all;
