// Sources of the register maps. The first three have a common origin and count as one.
export const deviceDrivers = 'srcfl/device-drivers (Apache-2.0)';
export const modbusDebug = 'srcfl/modbus-debug (MIT)';
export const pythonGateway = 'srcfl/srcful-gateway (MIT)';
export const evcc = 'evcc-io/evcc device templates (MIT)';
export const goodweCaptures = 'captures in marcelblijleven/goodwe (MIT)';
export const sunspecModels = 'SunSpec models (Apache-2.0)';
export const vendorKnowledge = 'vendor documentation as commonly known';
