/** Routes and schemas of a gateway's local API. */
export * from '../gateway/connections.ts';
export * from '../gateway/control.ts';
export * from '../gateway/data.ts';
export * from '../gateway/devices.ts';
export * from '../gateway/identity.ts';
export * from '../gateway/network.ts';
export * from '../gateway/reading.ts';
export * from '../gateway/registers.ts';
export * from '../gateway/status.ts';
export * from '../gateway/system.ts';
