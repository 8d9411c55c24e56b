import type { ServerOptions } from 'vite';

const platformPaths =
  'identity|auth|organizations|sites|gateways|devices|ders|stream|public|price|eltariff|simulation|oauth|health|metrics|docs|redoc|openapi.json|.well-known';

/** `npm run dev:web`: the pages as they are written, in front of a platform and a gateway that run. */
export const devServer = (env: Record<string, string | undefined>): ServerOptions => ({
  port: 5173,
  strictPort: true,
  proxy: {
    [`^/(${platformPaths.replaceAll('.', '\\.')})(/|\\?|$)`]: env.OHMSTEAD_URL ?? 'http://localhost:8080',
    '^/api/': env.OHMSTEAD_GATEWAY ?? 'http://localhost:8081',
  },
});
