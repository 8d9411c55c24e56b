import { Streaming } from '#lib/http/mount.ts';
import type { IntervalText } from './interval-text.ts';

/** Bytes as they are: as a string, 20 MB would be copied three times. Who has them already gets 304, and none are written. */
export const sendText = ({ etag, write }: IntervalText): Streaming =>
  new Streaming((response, headers) => {
    const tagged = { ...headers, etag, 'cache-control': 'no-cache' };
    if (names(response.req.headers['if-none-match'], etag)) {
      response.writeHead(304, tagged).end();
      return;
    }
    const bytes = write();
    const type = 'application/json; charset=utf-8';
    response.writeHead(200, { ...tagged, 'content-type': type, 'content-length': bytes.length }).end(bytes);
  });

/** Proxies that compress an answer make its tag weak. */
const names = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((part) => part.trim() === '*' || part.trim().replace(/^W\//, '') === etag) ?? false;
