import { input, phases } from './map/point.ts';
import { modbusProfile } from './map/recognise.ts';

// The plant answers at unit 247, each of its inverters at another unit. The plant has no serial number.
export const sigenergy = modbusProfile({
  profile: 'sigenergy',
  display_name: 'Sigenergy SigenStor',
  make: 'Sigenergy',
  connection_types: ['modbus_tcp'],
  defaults: { port: 502, unit_id: 247 },
  hints: { vendor: /sigen/i },
  sources: ['deviceDrivers', 'evcc'],
  confidence: 'medium',
  identify: [
    { what: 'state of charge', at: input('u16', 30014), is: (permille) => permille <= 1000, isInconclusive: true },
  ],
  ders: {
    pv: { W: input('i32', 30035, { scale: -1 }) },
    battery: {
      W: input('i32', 30037), // + charge
      SoC_nom_fract: input('u16', 30014, { scale: 0.001 }),
    },
    meter: {
      W: input('i32', 30005, { confidence: 'high' }), // + import
      ...phases('W', [30052, 30054, 30056], (at) => input('i32', at)),
    },
  },
});
