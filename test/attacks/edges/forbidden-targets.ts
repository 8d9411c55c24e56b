import { isIPv4 } from 'node:net';
import fc from 'fast-check';

/** Addresses where no device may be, and loopback in every spelling but its own. */
const forbidden = [
  '0.0.0.0',
  '169.254.169.254',
  '169.254.0.1',
  '8.8.8.8',
  '100.64.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.251',
  '255.255.255.255',
];
const spelledOnly = ['127.0.0.1', '127.0.0.2', '10.0.0.1', '192.168.1.1'];

const octetsOf = (address: string): number[] => address.split('.').map(Number);
const numberOf = (octets: readonly number[]): number => octets.reduce((sum, octet) => sum * 256 + octet, 0);

const bases: Record<string, (value: number) => string> = {
  decimal: String,
  octal: (value) => `0${value.toString(8)}`,
  'long octal': (value) => `000${value.toString(8)}`,
  hex: (value) => `0x${value.toString(16)}`,
  'upper hex': (value) => `0X${value.toString(16).toUpperCase()}`,
  'long hex': (value) => `0x${value.toString(16).padStart(10, '0')}`,
};

/** The parts of an address as resolvers read it: with fewer than four, the last one covers the rest (inet_aton). */
function partsOf(address: string, count: number): number[] {
  const octets = octetsOf(address);
  return [...octets.slice(0, count - 1), numberOf(octets.slice(count - 1))];
}

const wide = (text: string): string =>
  text.replaceAll(/[!-~]/g, (letter) => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0));
const circled = (text: string): string =>
  text.replaceAll(/\d/g, (digit) => (digit === '0' ? '⓪' : String.fromCodePoint(0x245f + Number(digit))));
const hexPair = (address: string): string => {
  const [a, b, c, d] = octetsOf(address) as [number, number, number, number];
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
};
const percent = (text: string): string =>
  [...text].map((letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');

/** Other ways to write the same address; all are refused, wherever they lead. */
const disguises: Record<string, (address: string) => string> = {
  'in one part': (address) => String(numberOf(octetsOf(address))),
  'in wide letters': wide,
  'in circled digits': circled,
  'with other dots': (address) => address.replaceAll('.', '。'),
  'percent-encoded': percent,
  'with a port': (address) => `${address}:80`,
  'as a network': (address) => `${address}/32`,
  'with a dot at its end': (address) => `${address}.`,
  'in brackets': (address) => `[${address}]`,
  'after a space': (address) => ` ${address}`,
  'before a NUL': (address) => `${address}\0`,
  'before a line break': (address) => `${address}\n`,
  'with a user': (address) => `user@${address}`,
  'as a link': (address) => `http://${address}/`,
  'as IPv6 of old': (address) => `::${address}`,
  'translated to IPv6': (address) => `64:ff9b::${address}`,
  'translated by 6to4': (address) => `2002:${hexPair(address)}::1`,
  'mapped beside the map': (address) => `::ffff:0:${address}`,
  'mapped, with a zone': (address) => `::ffff:${address}%lo`,
  'mapped, in brackets': (address) => `[::ffff:${hexPair(address)}]`,
  'with a part too many': (address) => `${address}.0`,
  'with empty parts': (address) => address.replace('.', '..'),
  'beyond a byte': (address) => address.replace(/\d+$/, (last) => String(Number(last) + 256)),
};

/** Refused in every spelling. */
const plain: string[] = [
  ...forbidden,
  ...forbidden.map((address) => `::ffff:${address}`),
  ...forbidden.map((address) => `::ffff:${hexPair(address)}`),
  '::',
  '0:0:0:0:0:0:0:0',
  'fe80::1',
  'fe80::1%lo',
  'ff02::1',
  'fec0::1',
  '2001:4860:4860::8888',
];

/** Spellings that lead to this machine without any check, and those of every other kind. */
export const spellings: readonly string[] = [
  ...plain,
  ...Object.values(disguises).map((disguise) => disguise('127.0.0.1')),
  ...[2, 3].map((count) => partsOf('127.0.0.1', count).join('.')),
  ...Object.entries(bases)
    .filter(([base]) => base !== 'decimal')
    .flatMap(([, write]) => [1, 2, 3, 4].map((count) => partsOf('127.0.0.1', count).map(write).join('.'))),
  '0',
  '0x0',
  '00',
];

/** Writes a number in one of its spellings, each part in its own base. */
const numbers = fc
  .record({
    address: fc.constantFrom(...forbidden, ...spelledOnly),
    count: fc.integer({ min: 1, max: 4 }),
    bases: fc.array(fc.constantFrom(...Object.values(bases)), { minLength: 4, maxLength: 4 }),
  })
  .map(({ address, count, bases }) =>
    partsOf(address, count)
      .map((part, index) => bases[index]!(part))
      .join('.'),
  )
  .filter((host) => !isIPv4(host) || forbidden.includes(host));

const disguised = fc
  .record({
    address: fc.oneof(
      fc.constantFrom(...forbidden, ...spelledOnly),
      fc.ipV4().filter((address) => !/^(0|10|127|172|192)\./.test(address)),
    ),
    disguise: fc.constantFrom(...Object.values(disguises)),
  })
  .map(({ address, disguise }) => disguise(address));

const plainOnes = fc.oneof(
  fc.constantFrom(...plain),
  fc.ipV4().filter((address) => !/^(0|10|127|172|192)\./.test(address)),
  fc.ipV6().filter((address) => /^(2|3|fe[89a-f]|ff)/i.test(address)),
);

/** Returns a random spelling of a forbidden address. */
export const anySpelling: fc.Arbitrary<string> = fc.oneof(numbers, disguised, plainOnes);
