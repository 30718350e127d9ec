import { inSession, type Session } from '../../src/cli/session';
import type { OpenedOperations } from '../../src/cli/dependencies';
import { cliDependencies, stackDouble } from '../support/cli-dependencies';
import { terminalDouble } from '../support/terminal-double';

function desk(changes: Parameters<typeof stackDouble>[0] = {}) {
  const double = stackDouble(changes);
  const order: string[] = [];
  const operations = { close: () => Promise.resolve(void order.push('closed')) } as unknown as OpenedOperations;
  const stack = {
    ...double.stack,
    stop: (options?: { atOnce?: boolean }) => (
      order.push(options?.atOnce ? 'stopped at once' : 'stopped'),
      double.stack.stop(options)
    ),
  };
  const dependencies = cliDependencies({
    openStack: () => Promise.resolve(stack),
    openOperations: () => Promise.resolve(operations),
  });
  return { ...double, order, context: { terminal: terminalDouble().terminal, dependencies } };
}

const OPTIONS = { need: 'database' as const, say: () => undefined };

/** Work that lets go only when its session is over. */
const untilOver = (session: Session) =>
  new Promise<string>((resolve) => session.over.addEventListener('abort', () => resolve('let go')));

describe('a session', () => {
  test('closes its connections, then stops the stack, when the work is done', async () => {
    const { context, order } = desk();
    await expect(inSession(context, OPTIONS, () => Promise.resolve('x'))).resolves.toEqual({ end: 'done', value: 'x' });
    expect(order).toEqual(['closed', 'stopped']);
  });

  test('does the same when the work throws, and passes on what it threw', async () => {
    const { context, order } = desk();
    await expect(inSession(context, OPTIONS, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(order).toEqual(['closed', 'stopped']);
  });

  test('the first signal ends the work, stops the stack in order and answers 130; it is told before', async () => {
    const { context, order } = desk();
    const told: (boolean | null)[] = [];
    const ended = inSession(context, { ...OPTIONS, onInterrupt: (joined) => told.push(joined) }, (session) => {
      process.emit('SIGINT', 'SIGINT');
      return untilOver(session);
    });
    await expect(ended).resolves.toEqual({ end: 'interrupted', exitCode: 130 });
    expect(told).toEqual([false]);
    expect(order).toContain('stopped');
    expect(order).not.toContain('stopped at once');
  });

  test('connections stay open for work that has not let go yet, although the session is over', async () => {
    const { context, order } = desk();
    let letGo: () => void = () => undefined;
    const ended = inSession(context, OPTIONS, () => {
      process.emit('SIGTERM', 'SIGTERM');
      return new Promise<void>((resolve) => (letGo = resolve));
    });
    await expect(ended).resolves.toEqual({ end: 'interrupted', exitCode: 143 });
    expect(order).toEqual(['stopped']);
    letGo();
    await new Promise(setImmediate);
    expect(order).toEqual(['stopped', 'closed']);
  });

  test('a signal while the stack still starts gives up that start, and nothing is stopped twice', async () => {
    const { context, order } = desk();
    const dependencies = cliDependencies({
      openStack: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          process.emit('SIGINT', 'SIGINT');
        }),
    });
    await expect(inSession({ ...context, dependencies }, OPTIONS, () => Promise.resolve(1))).resolves.toEqual({
      end: 'interrupted',
      exitCode: 130,
    });
    expect(order).toEqual([]);
  });

  test('what goes wrong while a start is given up is told, not taken for the signal', async () => {
    const { context } = desk();
    const dependencies = cliDependencies({
      openStack: () => (process.emit('SIGINT', 'SIGINT'), Promise.reject(new Error('broken'))),
    });
    await expect(inSession({ ...context, dependencies }, OPTIONS, () => Promise.resolve(1))).rejects.toThrow('broken');
  });

  test('a joined stack that ends is told as that, not as done', async () => {
    const { context, end } = desk({ joined: true });
    const ended = inSession(context, OPTIONS, (session) => {
      end();
      return untilOver(session);
    });
    await expect(ended).resolves.toEqual({ end: 'stack_ended' });
  });

  test('work that is done stays done, although the joined stack ends while the connections close', async () => {
    const { context, end, order } = desk({ joined: true });
    const operations = {
      close: () => (end(), new Promise<void>((resolve) => setImmediate(resolve)).then(() => order.push('closed'))),
    } as unknown as OpenedOperations;
    const dependencies = cliDependencies({
      openStack: context.dependencies.openStack,
      openOperations: () => Promise.resolve(operations),
    });
    await expect(inSession({ ...context, dependencies }, OPTIONS, () => Promise.resolve('told'))).resolves.toEqual({
      end: 'done',
      value: 'told',
    });
    expect(order).toEqual(['closed', 'stopped']);
  });

  test('an own database that others want is given up only by work that gives way', async () => {
    const stays = desk();
    const done = inSession(stays.context, OPTIONS, () => (stays.end(), Promise.resolve('finished')));
    await expect(done).resolves.toEqual({ end: 'done', value: 'finished' });
    const gives = desk();
    const gaveWay = inSession(
      gives.context,
      { ...OPTIONS, givesWay: true },
      (session) => (setImmediate(() => gives.end()), untilOver(session)),
    );
    await expect(gaveWay).resolves.toEqual({ end: 'stack_ended' });
  });

  test('gives all signals back to the process', async () => {
    const before = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => process.listenerCount(signal));
    await inSession(desk().context, OPTIONS, () => Promise.resolve());
    expect((['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) => process.listenerCount(signal))).toEqual(before);
  });
});

test.each([
  ["the stack's own", { temporalUiUrl: 'http://stack' }, 'http://stack'],
  ['else the one that the environment names', {}, 'http://named'],
])("links go to Temporal's UI: %s", async (_what, changes, expected) => {
  const opened: (string | undefined)[] = [];
  const { context, stack } = desk(changes);
  const dependencies = cliDependencies(
    {
      openStack: () => Promise.resolve(stack),
      openOperations: (options) => {
        opened.push(options.temporalUiUrl);
        return context.dependencies.openOperations(options);
      },
    },
    { TEMPORAL_UI_URL: 'http://named' },
  );
  await inSession({ ...context, dependencies }, OPTIONS, () => Promise.resolve());
  expect(opened).toEqual([expected]);
});

describe('services that nobody may start', () => {
  const services = { need: 'services' as const, say: () => undefined };

  test('are those that the environment names, and nothing is opened beside them', async () => {
    const { context } = desk();
    const operations = { close: () => Promise.resolve() } as unknown as OpenedOperations;
    const dependencies = cliDependencies(
      { openOperations: () => Promise.resolve(operations) },
      { DATABASE_URL: 'postgres://h/d', TEMPORAL_ADDRESS: 'h:7233' },
    );
    await expect(
      inSession({ ...context, dependencies }, services, ({ stack }) => Promise.resolve(stack.databaseUrl)),
    ).resolves.toEqual({ end: 'done', value: 'postgres://h/d' });
  });

  test('a stack that ended between two looks is not replaced: what was started is stopped', async () => {
    const { context, stack, order } = desk();
    const dependencies = cliDependencies({ keeperOfLiveStack: () => 'up', openStack: context.dependencies.openStack });
    await expect(inSession({ ...context, dependencies }, services, () => Promise.resolve())).rejects.toMatchObject({
      code: 'stack.not_running',
    });
    expect({ joined: stack.joined, order }).toEqual({ joined: false, order: ['stopped'] });
  });

  test('are not those of a stack that belongs to a run: nobody joins it, and it is said why', async () => {
    const { context, order } = desk();
    const dependencies = cliDependencies({ keeperOfLiveStack: () => 'run' });
    await expect(inSession({ ...context, dependencies }, services, () => Promise.resolve())).rejects.toMatchObject({
      code: 'stack.not_running',
      message: expect.stringContaining('belongs to another run') as string,
    });
    expect(order).toEqual([]);
  });
});
