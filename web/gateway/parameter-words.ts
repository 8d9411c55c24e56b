import { texts } from '../parts/text.ts';

const labels = texts({
  ip: ['Address', 'Adress'],
  port: ['Port', 'Port'],
  unit_id: ['Unit ID', 'Enhets-id'],
  profile: ['Product', 'Produkt'],
  baud_rate: ['Baud rate', 'Överföringshastighet (baud)'],
  parity: ['Parity', 'Paritet'],
  data_bits: ['Data bits', 'Databitar'],
  stop_bits: ['Stop bits', 'Stoppbitar'],
  serial_port: ['Serial port', 'Serieport'],
  manufacturer: ['Manufacturer', 'Tillverkare'],
  decryption_key: ['Decryption key', 'Krypteringsnyckel'],
  authentication_key: ['Authentication key', 'Autentiseringsnyckel'],
  broker_host: ['MQTT broker address', 'MQTT-brokerns adress'],
  broker_port: ['MQTT broker port', 'MQTT-brokerns port'],
  username: ['User name', 'Användarnamn'],
  password: ['Password', 'Lösenord'],
  client_id: ['Client ID', 'Klient-id'],
});

const hints = texts({
  ip: [
    'An IP address or host name on the local network, such as 192.168.1.50.',
    'En IP-adress eller ett värdnamn i det lokala nätverket, till exempel 192.168.1.50.',
  ],
  unit_id: ['The address of the device on the Modbus line, usually 1.', 'Enhetens adress på Modbus-slingan, oftast 1.'],
  baud_rate: [
    'Leave empty to try all usual speeds of a P1 meter.',
    'Lämna tomt för att prova alla vanliga hastigheter hos P1-mätare.',
  ],
  parity: ['For Modbus: 0 for none, 1 for odd, 2 for even.', 'För Modbus: 0 för ingen, 1 för udda, 2 för jämn.'],
  serial_port: [
    'A path such as /dev/ttyUSB0, or tcp://address:port of a network adapter. Leave empty to use the port of the gateway.',
    'En sökväg som /dev/ttyUSB0, eller tcp://adress:port till en nätverksadapter. Lämna tomt för att använda gatewayens port.',
  ],
  decryption_key: [
    'For an encrypted meter: 32 hexadecimal digits from the grid company.',
    'För en krypterad elmätare: 32 hexadecimala tecken från elnätsbolaget.',
  ],
  authentication_key: [
    'For an encrypted meter with a separate authentication key: 32 hexadecimal digits.',
    'För en krypterad elmätare med egen autentiseringsnyckel: 32 hexadecimala tecken.',
  ],
  broker_host: ['Usually the address of the device itself.', 'Oftast enhetens egen adress.'],
});

/** Describes a connection parameter; an unknown one keeps its technical name. */
export const parameterWords = (name: string): { label: string; says?: string } => ({
  label: labels.orName(name),
  ...(hints.has(name) && { says: hints(name) }),
});

const parities = texts({ none: ['none', 'ingen'], even: ['even', 'jämn'], odd: ['odd', 'udda'] });

export const valueWords = (name: string, value: string | number): string =>
  name === 'parity' ? parities.orName(String(value)) : String(value);

const connections = texts({
  modbus_tcp: ['Modbus TCP (network)', 'Modbus TCP (nätverk)'],
  modbus_rtu: ['Modbus RTU (RS-485)', 'Modbus RTU via RS-485'],
  p1_uart: ['P1 port of a smart meter', 'P1-porten på en smart elmätare'],
  mqtt: ['MQTT', 'MQTT'],
});

/** Names a type of connection; `otherwise` is used for an unknown one. */
export const connectionWords = (type: string, otherwise: string = type): string =>
  connections.has(type) ? connections(type) : otherwise;
