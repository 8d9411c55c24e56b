import { Type } from '#contract/schema.ts';

// Settings that several programs share under the same name.

export const logSettings = {
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'log level',
  }),
};

export const pageSettings = {
  CORS_ORIGINS: Type.String({
    default: '',
    pattern: '^(\\*|https?://[^\\s,/]+(,https?://[^\\s,/]+)*)?$',
    description: 'origins whose pages may call this API with their own tokens, comma separated, or * for all',
    note: 'Without it, pages from other origins cannot.',
    examples: ['https://app.example.org,http://localhost:5173'],
  }),
};

export const originsOf = ({ CORS_ORIGINS }: { CORS_ORIGINS: string }): string[] =>
  CORS_ORIGINS.split(',').filter(Boolean);

export const proxySettings = {
  TRUST_PROXY: Type.Optional(
    Type.String({
      format: 'proxies',
      description: 'addresses of proxies whose X-Forwarded-For is trusted, comma separated',
      examples: ['127.0.0.1,10.0.0.0/8'],
    }),
  ),
};
