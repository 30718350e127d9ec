import { newestRunUrl, workflowUrl } from '../../src/operations/queries/workflow-url';

const run = { workflowId: 'episode/p/e', workflowRunId: 'r1' };

test("a link to Temporal's UI names the namespace that the workflow is in; ids and namespace are encoded", () => {
  const ui = { url: 'http://ui/', namespace: 'film.acct/1' };
  expect(workflowUrl(ui, run)).toBe('http://ui/namespaces/film.acct%2F1/workflows/episode%2Fp%2Fe/r1/history');
  expect(newestRunUrl(ui, 'rescan/default')).toBe('http://ui/namespaces/film.acct%2F1/workflows/rescan%2Fdefault');
});

test('without a UI there is no link', () => {
  expect([workflowUrl(undefined, run), newestRunUrl(undefined, 'rescan/default')]).toEqual([null, null]);
});
