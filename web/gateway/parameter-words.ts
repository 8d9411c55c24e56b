import { type Language, language } from '../parts/text.ts';

const parities: Record<string, Record<Language, string> | undefined> = {
  none: { en: 'none', sv: 'ingen' },
  even: { en: 'even', sv: 'jämn' },
  odd: { en: 'odd', sv: 'udda' },
};

type ParameterText = { label: string; says?: string };

const parameterNames: Record<string, Record<Language, ParameterText> | undefined> = {
  ip: {
    en: { label: 'Address', says: 'An IP address or host name on the local network, such as 192.168.1.50.' },
    sv: { label: 'Adress', says: 'En IP-adress eller ett värdnamn i det lokala nätverket, till exempel 192.168.1.50.' },
  },
  port: { en: { label: 'Port' }, sv: { label: 'Port' } },
  unit_id: {
    en: { label: 'Unit ID', says: 'The address of the device on the Modbus line, usually 1.' },
    sv: { label: 'Enhets-id', says: 'Enhetens adress på Modbus-slingan, oftast 1.' },
  },
  profile: { en: { label: 'Product' }, sv: { label: 'Produkt' } },
  baud_rate: {
    en: { label: 'Baud rate', says: 'Leave empty to try all usual speeds of a P1 meter.' },
    sv: {
      label: 'Överföringshastighet (baud)',
      says: 'Lämna tomt för att prova alla vanliga hastigheter hos P1-mätare.',
    },
  },
  parity: {
    en: { label: 'Parity', says: 'For Modbus: 0 for none, 1 for odd, 2 for even.' },
    sv: { label: 'Paritet', says: 'För Modbus: 0 för ingen, 1 för udda, 2 för jämn.' },
  },
  data_bits: { en: { label: 'Data bits' }, sv: { label: 'Databitar' } },
  stop_bits: { en: { label: 'Stop bits' }, sv: { label: 'Stoppbitar' } },
  serial_port: {
    en: {
      label: 'Serial port',
      says: 'A path such as /dev/ttyUSB0, or tcp://address:port of a network adapter. Leave empty to use the port of the gateway.',
    },
    sv: {
      label: 'Serieport',
      says: 'En sökväg som /dev/ttyUSB0, eller tcp://adress:port till en nätverksadapter. Lämna tomt för att använda gatewayens port.',
    },
  },
  manufacturer: { en: { label: 'Manufacturer' }, sv: { label: 'Tillverkare' } },
  decryption_key: {
    en: { label: 'Decryption key', says: 'For an encrypted meter: 32 hexadecimal digits from the grid company.' },
    sv: { label: 'Krypteringsnyckel', says: 'För en krypterad elmätare: 32 hexadecimala tecken från elnätsbolaget.' },
  },
  authentication_key: {
    en: {
      label: 'Authentication key',
      says: 'For an encrypted meter with a separate authentication key: 32 hexadecimal digits.',
    },
    sv: {
      label: 'Autentiseringsnyckel',
      says: 'För en krypterad elmätare med egen autentiseringsnyckel: 32 hexadecimala tecken.',
    },
  },
  broker_host: {
    en: { label: 'MQTT broker address', says: 'Usually the address of the device itself.' },
    sv: { label: 'MQTT-brokerns adress', says: 'Oftast enhetens egen adress.' },
  },
  broker_port: { en: { label: 'MQTT broker port' }, sv: { label: 'MQTT-brokerns port' } },
  username: { en: { label: 'User name' }, sv: { label: 'Användarnamn' } },
  password: { en: { label: 'Password' }, sv: { label: 'Lösenord' } },
  client_id: { en: { label: 'Client ID' }, sv: { label: 'Klient-id' } },
};

/** Describes a connection parameter; an unknown one keeps its technical name. */
export const parameterWords = (name: string): ParameterText =>
  parameterNames[name]?.[language.value] ?? { label: name };

/** Describes the value of a connection parameter. */
export const valueWords = (name: string, value: string | number): string =>
  (name === 'parity' && parities[value]?.[language.value]) || String(value);

const connections: Record<string, Record<Language, string> | undefined> = {
  modbus_tcp: { en: 'Modbus TCP (network)', sv: 'Modbus TCP (nätverk)' },
  modbus_rtu: { en: 'Modbus RTU (RS-485)', sv: 'Modbus RTU via RS-485' },
  p1_uart: { en: 'P1 port of a smart meter', sv: 'P1-porten på en smart elmätare' },
  mqtt: { en: 'MQTT', sv: 'MQTT' },
};

/** Names a type of connection; `otherwise` is used for an unknown one. */
export const connectionWords = (type: string, otherwise: string = type): string =>
  connections[type]?.[language.value] ?? otherwise;
