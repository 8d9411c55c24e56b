import { gzipSync } from 'node:zlib';

export type Reply = { status: number; type: string; body: Buffer; headers?: Record<string, string> };

const html = (status: number, title: string): Reply => ({
  status,
  type: 'text/html',
  body: Buffer.from(`<!DOCTYPE html><html><head><title>${title}</title></head></html>`),
});

export const plain = (status: number, text: string): Reply => ({ status, type: 'text/plain', body: Buffer.from(text) });
export const xml = (text: string): Reply => ({ status: 200, type: 'text/xml', body: Buffer.from(text) });

const replaced = (reply: Reply, from: RegExp, to: string): Reply => ({
  ...reply,
  body: Buffer.from(reply.body.toString().replace(from, to)),
});

const packed = (body: Buffer): Reply => ({ ...xml(''), body, headers: { 'content-encoding': 'gzip' } });

const nested = 'ha'.repeat(10);

export const marketFaults = {
  outage: () => html(503, 'Service Unavailable'),
  unauthorized: () => html(401, 'Unauthorized'),
  limited: () => plain(429, 'Max allowed requests per minute exceeded'),
  html: () => html(200, 'Maintenance'),
  redirect: () => ({ ...plain(302, ''), headers: { location: 'http://127.0.0.1:1/' } }),
  huge: () =>
    xml(`<?xml version="1.0"?><Publication_MarketDocument>${' '.repeat(10_000_000)}</Publication_MarketDocument>`),
  'zip bomb': () => packed(gzipSync(Buffer.alloc(50_000_000, ' '))),
  'truncated gzip': (reply) => packed(gzipSync(reply.body).subarray(0, -200)),
  'cut in half': (reply) => ({ ...reply, body: reply.body.subarray(0, reply.body.length / 2) }),
  'not utf-8': (reply) => ({
    ...reply,
    body: Buffer.concat([reply.body.subarray(0, 200), Buffer.from([0xff, 0xfe, 0xc3])]),
  }),
  empty: (reply) => ({ ...reply, body: Buffer.alloc(0) }),
  'own entities': () =>
    xml(
      `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "${nested}"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><Publication_MarketDocument>&b;</Publication_MarketDocument>`,
    ),
  'outside entity': () =>
    xml(
      '<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]><Publication_MarketDocument>&a;</Publication_MarketDocument>',
    ),
  'numeric references': () =>
    xml(`<Publication_MarketDocument>${'&#97;'.repeat(200_000)}</Publication_MarketDocument>`),
  'deep nesting': () => xml(`${'<a>'.repeat(200_000)}${'</a>'.repeat(200_000)}`),
  'many elements': () => xml(`<a>${'<b/>'.repeat(1_000_000)}</a>`),
  'wrong namespace': (reply) => replaced(reply, /urn:iec62325\.351:[^"]*/, 'urn:other'),
  'wrong document': (reply) => replaced(reply, /<type>A44</, '<type>A65<'),
  'wrong area': (reply) => replaced(reply, /(_Domain\.mRID codingScheme="A01">)[^<]*/g, '$110YXX-OTHER-----X'),
  'other currency': (reply) => replaced(reply, />EUR</g, '>PLN<'),
  'absurd price': (reply) => replaced(reply, /<price\.amount>[^<]*/, '<price.amount>99999'),
  'price in words': (reply) => replaced(reply, /<price\.amount>[^<]*/, '<price.amount>1e3'),
  'hole in the day': (reply) =>
    replaced(
      replaced(reply, /<curveType>A03/g, '<curveType>A01'),
      /<Point>\s*<position>1\d<\/position>[\s\S]*?<\/Point>/g,
      '',
    ),
  'position zero': (reply) => replaced(reply, /<position>1</, '<position>0<'),
  'same position twice': (reply) => replaced(reply, /<position>2</, '<position>1<'),
} as const satisfies Record<string, (reply: Reply) => Reply>;

export type MarketFault = keyof typeof marketFaults | 'silence' | 'hang up';
