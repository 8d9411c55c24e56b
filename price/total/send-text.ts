import { writeCompressed } from '#lib/http/compress.ts';
import { namesEtag } from '#lib/http/etag.ts';
import { Streaming } from '#lib/http/mount.ts';
import type { IntervalText } from './interval-text.ts';

/** Sends bytes as they are: as a string, 20 MB would be copied three times. A client that has them gets 304, and none are written. */
export const sendText = ({ etag, write }: IntervalText): Streaming =>
  new Streaming((response, headers) => {
    const tagged = { ...headers, etag, 'cache-control': 'no-cache' };
    if (namesEtag(response.req.headers['if-none-match'], etag)) {
      response.writeHead(304, tagged).end();
      return;
    }
    writeCompressed(response, { ...tagged, 'content-type': 'application/json; charset=utf-8' }, write());
  });
