import type { OpenApiDocument, Operation, Parameter, Response } from '#contract/openapi/document.ts';
import { type Html, html, joined, prose } from './html.ts';
import { meaningInWords, shape, typeInWords } from './schema-words.ts';

export type Described = { method: string; path: string; operation: Operation };

type Components = OpenApiDocument['components'];

/** Renders one operation with everything a caller needs to know. */
export function operationArticle({ method, path, operation }: Described, components: Components): Html {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const answers = Object.entries(responses);
  const body = requestBody?.content['application/json']?.schema;
  return html`
    <article id="${operationId}">
      <h3><a href="#${operationId}">${summary}</a></h3>
      <p class="call"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
      ${description && html`<p>${prose(description)}</p>`}
      <p class="access"><strong>Who may call</strong> ${prose(operation['x-access'])}</p>
      ${parameters.length > 0 && parameterTable(parameters)}
      ${body && html`<h4>Request body</h4>${shape(body, components.schemas)}`}
      <h4>Replies</h4>
      ${replies(
        answers.filter(([status]) => status < '400'),
        components,
      )}
      <h4>Problems</h4>
      ${problemList(answers.filter(([status]) => status >= '400'))}
      <h4>Example</h4>
      <pre tabindex="0"><code>${curlExample(method, path, operation)}</code></pre>
    </article>`;
}

function parameterTable(parameters: Parameter[]): Html {
  const row = ({ name, in: place, required, description, schema }: Parameter): Html => html`
    <tr>
      <th scope="row"><code class="name">${name}</code></th>
      <td>${place}${!required && html` <span class="mark">optional</span>`}</td>
      <td><span class="type">${typeInWords(schema)}</span></td>
      <td>${prose(meaningInWords({ ...schema, ...(description && { description }) }))}</td>
    </tr>`;
  return html`
    <h4>Parameters</h4>
    <div class="wide" tabindex="0">
      <table>
        <thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
        <tbody>${parameters.map(row)}</tbody>
      </table>
    </div>`;
}

/** Renders the replies, grouping statuses with the same body. */
function replies(answers: [string, Response][], components: Components): Html {
  const groups = Map.groupBy(answers, ([, { content }]) => JSON.stringify(content));
  return html`${[...groups.values()].map((group) => {
    const titles = group.map(([status, { description }]) => html`<b class="status">${status}</b> ${description}`);
    const [type, content] = Object.entries(group[0]?.[1].content ?? {})[0] ?? [];
    return html`
      <p>${joined(titles, ', ')}${type && type !== 'application/json' && html`, as <code>${type}</code>`}</p>
      ${content && shape(content.schema, components.schemas)}`;
  })}`;
}

function problemList(answers: [string, Response][]): Html {
  const entry = ([status, { description }]: [string, Response]): Html =>
    html`<div><dt><b class="status">${status}</b></dt><dd>${description.split('\n').map((line) => html`<div>${prose(line)}</div>`)}</dd></div>`;
  return html`<dl class="problems">${answers.map(entry)}</dl>`;
}

/** Returns a curl command. $API is the address of the service; ids are variables too. */
function curlExample(method: string, path: string, operation: Operation): string {
  const { parameters, requestBody, security } = operation;
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const search = query.map(({ name }) => `${name}=${variable(name)}`).join('&');
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => variable(name));
  const body = requestBody?.content['application/json'];
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"$API${address}${search && `?${search}`}"`,
    security.length > 0 && `-H "Authorization: Bearer ${operation['x-internal'] ? '$SECRET' : '$TOKEN'}"`,
    parameters.some(({ name }) => name === 'Idempotency-Key') && '-H "Idempotency-Key: $(uuidgen)"',
    body && "-H 'Content-Type: application/json'",
    body && `-d ${quoted(JSON.stringify(body.example, null, 2).replaceAll('\n', '\n  '))}`,
  ]
    .filter((line) => typeof line === 'string')
    .join(' \\\n  ');
}

const variable = (name: string): string => `$${name.toUpperCase()}`;

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
