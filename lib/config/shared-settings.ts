import { Type } from '#contract/schema.ts';

// Settings that mean the same in several programs; each has them under the same name.

export const logSettings = {
  LOG_LEVEL: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'how much is logged',
  }),
};

export const pageSettings = {
  CORS_ORIGINS: Type.String({
    default: '',
    pattern: '^(\\*|https?://[^\\s,/]+(,https?://[^\\s,/]+)*)?$',
    description: 'origins whose pages may call this interface with tokens of their own, comma separated, or * for all',
    note: 'Without it no page of another address can.',
    examples: ['https://app.example.org,http://localhost:5173'],
  }),
};

export const originsOf = ({ CORS_ORIGINS }: { CORS_ORIGINS: string }): string[] =>
  CORS_ORIGINS.split(',').filter(Boolean);

export const proxySettings = {
  TRUST_PROXY: Type.Optional(
    Type.String({
      format: 'proxies',
      description: 'addresses of proxies whose X-Forwarded-For is believed, comma separated',
      examples: ['127.0.0.1,10.0.0.0/8'],
    }),
  ),
};
