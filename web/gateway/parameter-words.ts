import { texts } from '../parts/text.ts';

const labels = texts({
  ip: 'Address',
  port: 'Port',
  unit_id: 'Unit ID',
  profile: 'Product',
  baud_rate: 'Baud rate',
  parity: 'Parity',
  data_bits: 'Data bits',
  stop_bits: 'Stop bits',
  serial_port: 'Serial port',
  manufacturer: 'Manufacturer',
  decryption_key: 'Decryption key',
  authentication_key: 'Authentication key',
  broker_host: 'MQTT broker address',
  broker_port: 'MQTT broker port',
  username: 'User name',
  password: 'Password',
  client_id: 'Client ID',
});

const hints = texts({
  ip: 'An IP address or host name on the local network, such as 192.168.1.50.',
  unit_id: 'The address of the device on the Modbus line, usually 1.',
  baud_rate: 'Leave empty to try all usual speeds of a P1 meter.',
  parity: 'For Modbus: 0 for none, 1 for odd, 2 for even.',
  serial_port:
    'A path such as /dev/ttyUSB0, or tcp://address:port of a network adapter. Leave empty to use the port of the gateway.',
  decryption_key: 'For an encrypted meter: 32 hexadecimal digits from the grid company.',
  authentication_key: 'For an encrypted meter with a separate authentication key: 32 hexadecimal digits.',
  broker_host: 'Usually the address of the device itself.',
});

/** Describes a connection parameter; an unknown one keeps its technical name. */
export const parameterWords = (name: string): { label: string; says?: string } => ({
  label: labels.orName(name),
  ...(hints.has(name) && { says: hints(name) }),
});

const parities = texts({ none: 'none', even: 'even', odd: 'odd' });

export const valueWords = (name: string, value: string | number): string =>
  name === 'parity' ? parities.orName(String(value)) : String(value);

const connections = texts({
  modbus_tcp: 'Modbus TCP (network)',
  modbus_rtu: 'Modbus RTU (RS-485)',
  p1_uart: 'P1 port of a smart meter',
  mqtt: 'MQTT',
});

/** Names a type of connection; `otherwise` is used for an unknown one. */
export const connectionWords = (type: string, otherwise: string = type): string =>
  connections.has(type) ? connections(type) : otherwise;
