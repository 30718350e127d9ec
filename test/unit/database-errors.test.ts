import { ApplicationFailure } from '@temporalio/activity';
import { createServer } from 'node:net';
import { translateDatabaseError } from '../../src/db/errors';
import { openDatabase } from '../../src/db/pool';
import { readRow } from '../../src/ledger/read-rows';

describe('what a failed statement means', () => {
  const of = (message: string, code?: string): Error => Object.assign(new Error(message), code ? { code } : {});

  it.each([
    of('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'),
    of('read ECONNRESET', 'ECONNRESET'),
    of('terminating connection due to administrator command', '57P01'),
    of('the database system is starting up', '57P03'),
    of('could not extend file: No space left on device', '53100'),
    of('out of memory', '53200'),
    of('could not read block', '58030'),
    of('cannot execute UPDATE in a read-only transaction', '25006'),
    of('database is not currently accepting connections', '55000'),
    of('canceling statement due to user request', '57014'),
    of('Connection terminated unexpectedly'),
    of('Query read timeout'),
    Object.assign(new AggregateError([of('connect ECONNREFUSED ::1:5432', 'ECONNREFUSED')]), { code: 'ECONNREFUSED' }),
    new AggregateError([of('connect ECONNREFUSED ::1:5432', 'ECONNREFUSED')]),
  ])('is an outage that passes: %s', (error) => {
    expect(translateDatabaseError(error, 'Deciding')).toMatchObject({
      code: 'db.unavailable',
      message: expect.stringMatching(/^Deciding: .+/),
    });
  });

  it('is an outage for a server that is not there, by the name of a host with two addresses, too', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const { db, close } = openDatabase(`postgres://nobody@localhost:${port}/nothing`, 1, () => undefined);
    const refused: unknown = await readRow(db, { projectId: 'p', episodeId: 'e', stepId: 'world_guide' }).catch(
      (error: unknown) => error,
    );
    await close();
    expect(translateDatabaseError(refused, 'Deciding')).toMatchObject({ code: 'db.unavailable' });
  });

  it("leaves a bug a bug, and a Temporal failure what it is, with its next delay, though it quotes an outage's text", () => {
    const failure = ApplicationFailure.create({
      type: 'step.already_running',
      message: 'Connection terminated unexpectedly',
      nextRetryDelay: '5s',
    });
    expect(translateDatabaseError(failure, 'Deciding')).toBe(failure);
    for (const bug of [new TypeError('a bug'), of('duplicate key', '23505')])
      expect(translateDatabaseError(bug, 'Deciding')).toBe(bug);
  });
});
