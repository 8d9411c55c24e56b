import { html } from './html.ts';

/** The page on which operations can be tried, by Swagger UI from our own address. */
export const interactivePage = (title: string, { assets, redoc }: { assets: string; redoc: string }): string =>
  html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" type="image/png" href="${assets}/favicon-32x32.png">
    <link rel="stylesheet" href="${assets}/swagger-ui.css">
    <link rel="stylesheet" href="${assets}/interactive-page.css">
  </head>
  <body>
    <noscript><p>This page needs scripts. <a href="${redoc}">The page to read</a> does not.</p></noscript>
    <div id="swagger-ui"></div>
    <script src="${assets}/swagger-ui-bundle.js"></script>
    <script src="${assets}/start.js"></script>
  </body>
</html>
`.text;

/** The script that hands the page over to Swagger UI. */
export const startScript = (openapi: string): string => `SwaggerUIBundle({
  url: ${JSON.stringify(openapi)},
  dom_id: '#swagger-ui',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  docExpansion: 'list',
  showExtensions: true,
  validatorUrl: null,
});
`;
