import type { Connection } from '@temporalio/client';
import { inSession } from '../../src/cli/session';
import type { OpenedOperations, OpenOperationsOptions } from '../../src/cli/dependencies';
import { connectTemporal } from '../../src/temporal/connection';
import { readConfig } from '../../src/config';
import { openOperations } from '../../src/wiring';
import { cliDependencies, stackDouble } from '../support/cli-dependencies';
import { terminalDouble } from '../support/terminal-double';

/** What a person's shell may have for another server. */
const SHELL = {
  TEMPORAL_NAMESPACE: 'production',
  TEMPORAL_API_KEY: 'secret',
  TEMPORAL_TLS: 'true',
  TEMPORAL_GRPC_META_TEAM: 'cameras',
  TEMPORAL_CONFIG_FILE: '/nowhere/temporal.toml',
};

const before = { ...process.env };
beforeEach(() => void Object.assign(process.env, SHELL));
afterEach(() => {
  process.env = { ...before };
});

async function connected(plain: boolean) {
  if (!plain) delete process.env['TEMPORAL_CONFIG_FILE'];
  const temporal = await connectTemporal('127.0.0.1:1', { lazy: true, plain });
  const { options } = temporal.client.connection as Connection;
  await temporal.close();
  return {
    namespace: temporal.namespace,
    clientNamespace: temporal.client.options.namespace,
    worker: temporal.options,
    team: options.metadata?.['team'],
  };
}

test('the embedded server is connected plainly, whatever the shell has for another one', async () => {
  expect(await connected(true)).toEqual({
    namespace: 'default',
    clientNamespace: 'default',
    worker: { tls: undefined, metadata: undefined, apiKey: undefined },
    team: undefined,
  });
});

test('a named server is connected as the shell says', async () => {
  expect(await connected(false)).toMatchObject({
    namespace: 'production',
    clientNamespace: 'production',
    worker: { apiKey: 'secret', metadata: { team: 'cameras' } },
  });
});

test('a call that waits for its next try when the connection is closed ends as an error that is caught', async () => {
  const { client, close } = await connectTemporal('127.0.0.1:1', { lazy: true, plain: true });
  const describe = () => client.workflow.getHandle('nobody').describe();
  const outcome = describe().then(
    () => 'answered',
    (error: unknown) => error,
  );
  // Nobody listens there: once this one has given up, the other has failed and waits.
  await expect(client.withDeadline(Date.now() + 500, describe)).rejects.toThrow();
  await close();
  expect(await outcome).toMatchObject({ cause: { code: 1, details: 'Channel has been shut down' } });
});

test.each([
  ['an embedded one', 'http://127.0.0.1:8233', true],
  ['a named one', undefined, false],
])('the command line says which of the two it is: %s', async (_what, temporalUiUrl, expected) => {
  const opened: OpenOperationsOptions[] = [];
  const { stack } = stackDouble({ temporalAddress: '127.0.0.1:1', temporalUiUrl });
  const dependencies = cliDependencies({
    openStack: () => Promise.resolve(stack),
    openOperations: (options) => {
      opened.push(options);
      return Promise.resolve({ close: () => Promise.resolve() } as unknown as OpenedOperations);
    },
  });
  const context = { terminal: terminalDouble().terminal, dependencies };
  await inSession(context, { need: 'database', say: () => undefined }, () => Promise.resolve());
  expect(opened.map((options) => options.temporalIsEmbedded)).toEqual([expected]);
});

test.each([
  ['of a named server', { temporalAddress: '127.0.0.1:1', temporalIsEmbedded: false }, 'production'],
  ['of the embedded server', { temporalAddress: '127.0.0.1:1', temporalIsEmbedded: true }, 'default'],
  ['that the shell names, where nothing is connected', { temporalIsEmbedded: false }, 'production'],
])("links to Temporal's UI are to the namespace %s", async (_which, options, namespace) => {
  delete process.env['TEMPORAL_CONFIG_FILE'];
  const url = 'http://ui';
  const common = { databaseUrl: 'postgres://h/d', config: readConfig({}), role: 'test', stays: true };
  const linking = await openOperations({ ...common, ...options, temporalUiUrl: url });
  expect(linking.temporalUi).toEqual({ url, namespace });
  await linking.close();
  const silent = await openOperations({ ...common, ...options });
  expect(silent.temporalUi).toBeUndefined();
  await silent.close();
});
