import { language } from '../parts/text.ts';
import { valueIn } from './parameter-values.ts';

type Words = { label: string; says?: string };

const words: Record<string, { en: Words; sv: Words }> = {
  ip: {
    en: { label: 'Address', says: 'An IP address or a name in the local network, for example 192.168.1.50.' },
    sv: { label: 'Adress', says: 'En IP-adress eller ett namn i det lokala nätverket, till exempel 192.168.1.50.' },
  },
  port: { en: { label: 'Port' }, sv: { label: 'Port' } },
  unit_id: {
    en: { label: 'Unit id', says: 'The number of the device on its Modbus line; most devices have 1.' },
    sv: { label: 'Enhets-id', says: 'Enhetens nummer på Modbus-slingan; de flesta har 1.' },
  },
  profile: { en: { label: 'Product' }, sv: { label: 'Produkt' } },
  baud_rate: {
    en: { label: 'Baud rate', says: 'A P1 meter is listened to at every usual speed when this is left empty.' },
    sv: {
      label: 'Överföringshastighet (baud)',
      says: 'Lämnas fältet tomt prövas alla hastigheter som P1-mätare brukar ha.',
    },
  },
  parity: {
    en: { label: 'Parity', says: 'On Modbus lines 0 is none, 1 odd and 2 even.' },
    sv: { label: 'Paritet', says: 'På Modbus-slingor är 0 ingen, 1 udda och 2 jämn.' },
  },
  data_bits: { en: { label: 'Data bits' }, sv: { label: 'Databitar' } },
  stop_bits: { en: { label: 'Stop bits' }, sv: { label: 'Stoppbitar' } },
  serial_port: {
    en: {
      label: 'Serial line',
      says: 'A path such as /dev/ttyUSB0, or tcp://address:port of an adapter in the network. The line of this gateway when left empty.',
    },
    sv: {
      label: 'Serieport',
      says: 'En sökväg som /dev/ttyUSB0, eller tcp://adress:port till en adapter i nätverket. Lämnas fältet tomt används gatewayens egen port.',
    },
  },
  manufacturer: { en: { label: 'Manufacturer' }, sv: { label: 'Tillverkare' } },
  decryption_key: {
    en: { label: 'Decryption key', says: 'For an encrypted meter: 32 hex digits, from the grid company.' },
    sv: { label: 'Krypteringsnyckel', says: 'För en krypterad mätare: 32 hexadecimala tecken, från elnätsföretaget.' },
  },
  authentication_key: {
    en: { label: 'Authentication key', says: 'For an encrypted meter that has its own: 32 hex digits.' },
    sv: { label: 'Autentiseringsnyckel', says: 'För en krypterad mätare som har en egen: 32 hexadecimala tecken.' },
  },
  broker_host: {
    en: { label: 'Address of the broker', says: 'Usually that of the device itself.' },
    sv: { label: 'MQTT-serverns adress', says: 'Oftast enhetens egen.' },
  },
  broker_port: { en: { label: 'Port of the broker' }, sv: { label: 'MQTT-serverns port' } },
  username: { en: { label: 'User name' }, sv: { label: 'Användarnamn' } },
  password: { en: { label: 'Password' }, sv: { label: 'Lösenord' } },
  client_id: { en: { label: 'Client id' }, sv: { label: 'Klient-id' } },
};

/** A parameter of a connection in words; one that is not known says its name. */
export const parameterWords = (name: string): Words =>
  Object.hasOwn(words, name) ? words[name]![language.value] : { label: name };

/** What a parameter is set to. */
export const valueWords = (name: string, value: string | number): string => valueIn(language.value, name, value);

const connections: Record<string, { en: string; sv: string }> = {
  modbus_tcp: { en: 'Modbus TCP, over the network', sv: 'Modbus TCP, över nätverket' },
  modbus_rtu: { en: 'Modbus RTU, on an RS-485 line', sv: 'Modbus RTU, på en RS-485-slinga' },
  p1_uart: { en: 'P1 port of a smart meter', sv: 'P1-porten på en smart elmätare' },
  mqtt: { en: 'MQTT', sv: 'MQTT' },
};

/** How a device is connected; a way that is not known says what the gateway says of it. */
export const connectionWords = (type: string, otherwise: string = type): string =>
  Object.hasOwn(connections, type) ? connections[type]![language.value] : otherwise;
