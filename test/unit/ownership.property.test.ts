import fc from 'fast-check';
import { acts } from '../support/ownership/acts';
import { MemoryLedger } from '../support/ownership/memory-ledger';
import { Stage } from '../support/ownership/stage';

/** Spec 10, by the model of it: no interleaving lets two write, takes a row from a live owner, or leaves a lock for ever. */
test('whatever four owners do, one at most may write, a live owner keeps its row, and in the end the step is free', async () => {
  await fc.assert(
    fc.asyncProperty(acts(60), async (script) => {
      const stage = new Stage(new MemoryLedger());
      for (const act of script) await stage.play(act);
      await stage.expectFreeInTheEnd();
    }),
    { numRuns: 2_000 },
  );
});

test('the scripts that are drawn do claim, steal, reclaim, adopt, miss and end: the promise above is about something', async () => {
  const seen = new Map<string, number>();
  for (const script of fc.sample(acts(60), { numRuns: 300, seed: 7 })) {
    const stage = new Stage(new MemoryLedger());
    for (const act of script) {
      const outcome = `${act.act} ${await stage.play(act)}`;
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    }
  }
  const wanted = ['claim', 'beat', 'reclaim', 'adopt', 'end'].flatMap((act) => [`${act} landed`, `${act} missed`]);
  const verdicts = [
    'dead by branch 1',
    'alive by branch 2',
    'dead by branch 3',
    'dead by branch 4',
    'dead by branch 5',
    'alive by branch 5',
  ];
  for (const outcome of [...wanted, ...verdicts.map((verdict) => `read running ${verdict}`)])
    expect({ outcome, times: seen.get(outcome) ?? 0 }).not.toEqual({ outcome, times: 0 });
});
