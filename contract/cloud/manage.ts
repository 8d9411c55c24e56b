import { may } from '../access.ts';
import { DerChange } from '../gateway/devices.ts';
import { AddedDevice, GatewayScan, GatewayStatus, ManagedDevice, ManagedDevices, NewManagedDevice } from '../manage.ts';
import { routesOf } from '../route.ts';
import { Type } from '../schema.ts';

const problems = [
  'gateway_offline',
  'gateway_unanswered',
  'management_refused',
  'upstream_failed',
  'rate_limited',
] as const;

const asks =
  'The platform asks the gateway through its broker connection and waits for the answer. 409 `gateway_offline`: it is not ' +
  'connected; 504 `gateway_unanswered`: it does not answer, because it is older or of another make; 409 ' +
  '`management_refused`: remote management is switched off on the gateway, or it does not trust the keys of this platform.';

const deviceProblems = [
  ...problems,
  'invalid_request',
  'conflict',
  'device_unreachable',
  'device_failed',
  'device_busy',
  'insufficient_memory',
  'storage_failed',
] as const;

const api = routesOf({
  tag: 'Gateway management',
  access: may('manage', 'gateway', 'params.serial'),
  waits: true,
  description: asks,
});

export const getGatewayStatus = api.get('/gateways/{serial}/manage/status', 'Ask a gateway whether it is sending', {
  replies: { 200: GatewayStatus },
  problems,
});

export const scanFromGateway = api.post('/gateways/{serial}/manage/scan', 'Make a gateway search for devices', {
  replies: { 202: GatewayScan },
  problems: [...problems, 'conflict'],
  budget: 'control',
});

export const getGatewayScan = api.get('/gateways/{serial}/manage/scan', 'Get the progress and result of the search', {
  replies: { 200: GatewayScan },
  problems,
});

export const listManagedDevices = api.get('/gateways/{serial}/manage/devices', 'List the devices of a gateway', {
  replies: { 200: ManagedDevices },
  problems,
});

export const addManagedDevice = api.post('/gateways/{serial}/manage/devices', 'Connect a device to a gateway', {
  body: NewManagedDevice,
  replies: { 200: AddedDevice },
  problems: deviceProblems,
  budget: 'control',
});

export const changeManagedDevice = api.post(
  '/gateways/{serial}/manage/devices/{sn}',
  'Choose what a gateway sends of a device',
  {
    body: Type.Object({ ders: Type.Array(DerChange, { maxItems: 16 }) }),
    replies: { 200: ManagedDevice },
    problems: deviceProblems,
    budget: 'control',
  },
);

export const manageRoutes = api.all;
