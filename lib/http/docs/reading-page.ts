import type { OpenApiDocument, Schema } from '#contract/openapi/document.ts';
import { asStyle, type Html, html, prose } from './html.ts';
import { type Described, operationArticle } from './reading-operation.ts';
import { fieldList, schemaAnchor } from './schema-words.ts';

export type PageLinks = { openapi: string; docs: string };

/** Renders the whole API as one page without scripts. */
export function readingPage(document: OpenApiDocument, links: PageLinks, css: string): string {
  const { info, components } = document;
  const chapters = chaptersOf(document);
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${info.title}</title>
    <style>${asStyle(css)}</style>
  </head>
  <body>
    <header>
      <h1>${info.title} <small>${info.version}</small></h1>
      <p>${prose(info.description)}</p>
      <p><a href="${links.docs}">Try it</a> <a href="${links.openapi}">OpenAPI document</a></p>
    </header>
    <div class="columns">
      <nav aria-label="Contents">${chapters.map(contents)}${schemaContents(components.schemas)}</nav>
      <main>
        ${conventions(components)}
        ${chapters.map(
          ({ tag, anchor, operations }) => html`
        <section id="${anchor}">
          <h2>${tag}</h2>
          ${operations.map((described) => operationArticle(described, components))}
        </section>`,
        )}
        <section id="schemas">
          <h2>Schemas</h2>
          ${Object.entries(components.schemas).map(namedSchema)}
        </section>
      </main>
    </div>
  </body>
</html>
`.text;
}

type Chapter = { tag: string; anchor: string; operations: Described[] };

function chaptersOf({ tags, paths }: OpenApiDocument): Chapter[] {
  const everything = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  return tags.map(({ name: tag }) => ({
    tag,
    anchor: `tag-${tag.toLowerCase().replace(/\W+/g, '-')}`,
    operations: everything.filter(({ operation }) => operation.tags.includes(tag)),
  }));
}

const contents = ({ tag, anchor, operations }: Chapter): Html => html`
  <details>
    <summary><a href="#${anchor}">${tag}</a></summary>
    <ul>${operations.map(
      ({ method, operation }) => html`
      <li><a href="#${operation.operationId}"><span class="method ${method}">${method}</span> ${operation.summary}</a></li>`,
    )}</ul>
  </details>`;

const schemaContents = (schemas: Record<string, Schema>): Html => html`
  <details>
    <summary><a href="#schemas">Schemas</a></summary>
    <ul>${Object.keys(schemas).map((name) => html`<li><a href="#${schemaAnchor(name)}">${name}</a></li>`)}</ul>
  </details>`;

const namedSchema = ([name, schema]: [string, Schema]): Html => html`
  <article id="${schemaAnchor(name)}">
    <h3><a href="#${schemaAnchor(name)}">${name}</a></h3>
    ${schema.description && html`<p>${prose(schema.description)}</p>`}
    ${fieldList(schema)}
  </article>`;

function conventions({ headers, securitySchemes }: OpenApiDocument['components']): Html {
  const entry = ([name, { description }]: [string, { description: string }]): Html =>
    html`<div><dt><code>${name}</code></dt><dd>${prose(description)}</dd></div>`;
  return html`
    <section id="conventions">
      <h2>For every call</h2>
      <p>
        Fields are always present unless marked optional; a request with an unknown field is refused.
        In the examples <code>$API</code> is the address of this service and <code>$TOKEN</code> an access token.
        Problems are returned as <code>application/problem+json</code> with the schema
        <a href="#${schemaAnchor('Problem')}">Problem</a>; its <code>error</code> is one of the codes named with each call.
      </p>
      <h4>Authentication</h4>
      <dl>${Object.entries(securitySchemes).map(entry)}</dl>
      <h4>Response headers</h4>
      <dl>${Object.entries(headers).map(entry)}</dl>
    </section>`;
}
