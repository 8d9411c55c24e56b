import type { IncomingHttpHeaders } from 'node:http';

/** A request as a browser describes it. */
export type Asked = {
  method: string;
  /** of the route that serves it; the path as sent where none does */
  path: string;
  /** scheme, host and port it was sent to */
  ownOrigin: string;
  headers: IncomingHttpHeaders;
};

/** A page of another origin sent it. Programs other than browsers send neither header. */
export function isForeign({ headers, ownOrigin }: Asked): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origin !== ownOrigin) return true;
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

const pages = ['/', '/app', '/app/*', '/docs', '/redoc'];

/** Somebody followed a link to one of our pages; in a frame it would be another destination. */
export const followsLink = ({ method, path, headers }: Asked): boolean =>
  method === 'GET' &&
  pages.includes(path) &&
  headers.origin === undefined &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document';

/** What the page of the platform may do here: read, and ask for a signature. A scan is a GET that does something. */
export function mayPlatform(method: string, path: string): boolean {
  if (method === 'GET' || method === 'HEAD') return path !== '/api/wifi/scan';
  return method === 'POST' && path === '/api/crypto/sign';
}
