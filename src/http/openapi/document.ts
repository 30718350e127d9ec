import type { AnyRoute } from './operation';
import { componentSchemas, type JsonSchema } from './components';
import { operationOf } from './operation';

export interface DocumentOptions {
  readonly version: string;
  /** Tokens are configured, so that most paths need one. */
  readonly withTokens: boolean;
}

const TAGS = {
  Episodes: 'Screenplays, and the state of all.',
  Runs: 'Plan, start, cancel, and past decisions.',
  Locks: 'Who holds what, and whether they live.',
  Snapshots: "Versions of a step's checkpoint.",
  Shots: 'Shots and their images.',
  Money: 'Purchases and budget.',
  Settings: 'Settings of a project.',
  Contexts: 'Reference material, its AI work, and the loop that finds what was lost.',
  Platform: 'Health and metrics.',
};

/** The OpenAPI 3.1 document of the routes (spec 50); made from the very schemas that check requests. */
export function openApiDocument(routes: readonly AnyRoute[], { version, withTokens }: DocumentOptions): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const one of routes) (paths[one.path] ??= {})[one.method.toLowerCase()] = operationOf(one, withTokens);
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Callsheet',
      version,
      description:
        'Screenplay in, storyboard images out. Times are text in UTC, money is numbers of US dollars. Errors are problems (RFC 9457) with a code and what to do next.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: componentSchemas(),
      ...(withTokens
        ? {
            securitySchemes: {
              token: {
                type: 'http',
                scheme: 'bearer',
                description: 'A token with a role: viewer, operator or service.',
              },
            },
          }
        : {}),
    },
  };
}
