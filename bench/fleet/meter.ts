export { createMeter, type Meter, randomFrom } from '#sim/fleet/meter.ts';
