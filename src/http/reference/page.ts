import { createHash } from 'node:crypto';
import type { JsonSchema } from '../openapi/components';
import { html, type Html } from './html';
import { STYLE } from './style';

/** The page's own style and nothing else: no script, nothing from outside (spec 50 "with a page to read it"). */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly 'x-role'?: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: unknown;
  }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema: unknown }>>;

interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'method' | 'path'>>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

/** The OpenAPI document as a page that a person reads, without any script. */
export function referencePage(document: JsonSchema): string {
  const { info, tags, paths, components } = document as unknown as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
  return (
    html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${info.title} HTTP API</title>
<style>`.text +
    STYLE +
    html`</style></head>
<body>
<header><h1>${info.title} HTTP API</h1><p>Version ${info.version} · <a href="/api/openapi.json">OpenAPI 3.1</a></p><p>${info.description}</p></header>
<nav aria-label="Parts">${tags.map(({ name }) => html`<a href="#${name}">${name}</a>`)}<a href="#schemas">Schemas</a></nav>
<main>
${tags.map(
  ({ name, description }) =>
    html`<section id="${name}">
      <h2>${name}</h2>
      <p>${description}</p>
      ${operations.filter((operation) => operation.tags.includes(name)).map(operationHtml)}
    </section>`,
)}
<section id="schemas"><h2>Schemas</h2>
${Object.entries(components.schemas).map(
  ([name, schema]) =>
    html`<details id="schema-${name}">
      <summary><code>${name}</code></summary>
      ${schemaHtml(schema)}
    </details>`,
)}
</section>
</main>
</body>
</html>
`.text
  );
}

function operationHtml(operation: Operation): Html {
  const { method, path, operationId, summary, parameters, requestBody, responses } = operation;
  const role = operation['x-role'];
  return html`<details id="${operationId}">
    <summary><span class="method ${method}">${method}</span> <code>${path}</code><br />${summary}</summary>
    ${role !== undefined && html`<p>Role: ${role === 'nobody' ? 'none needed' : role}.</p>`}
    ${
      parameters.length > 0 &&
      html`<table>
        <thead>
          <tr>
            <th>Parameter</th>
            <th>In</th>
            <th>Schema</th>
          </tr>
        </thead>
        <tbody>
          ${parameters.map(
            (one) =>
              html`<tr>
                <td><code>${one.name}</code>${one.required ? '' : ' (optional)'}<br />${one.description}</td>
                <td>${one.in}</td>
                <td><code>${JSON.stringify(one.schema)}</code></td>
              </tr>`,
          )}
        </tbody>
      </table>`
    }
    ${
      requestBody &&
      html`<h3>Body${requestBody.required ? '' : ' (optional)'}</h3>
        ${contentHtml(requestBody.content)}`
    }
    <h3>Answers</h3>
    <table>
      <tbody>
        ${Object.entries(responses).map(
          ([status, { description, content }]) =>
            html`<tr>
              <th scope="row">${status}</th>
              <td>${description}</td>
              <td>${contentHtml(content ?? {})}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}

function contentHtml(content: Content): Html {
  return html`${Object.entries(content).map(([type, { schema }]) => html`<div><code>${type}</code> ${schemaHtml(schema)}</div>`)}`;
}

/** A named one as a link to where it stands; any other as JSON. */
function schemaHtml(schema: unknown): Html {
  const name = nameIn(schema);
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`;
  return html`<pre>${JSON.stringify(schema, null, 2)}</pre>`;
}

function nameIn(schema: unknown): string | undefined {
  const reference = typeof schema === 'object' && schema !== null && '$ref' in schema ? schema.$ref : undefined;
  return typeof reference === 'string' ? reference.split('/').at(-1) : undefined;
}
