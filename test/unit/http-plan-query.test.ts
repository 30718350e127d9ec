import { planQuery } from '../../src/http/routes/plan';

test.each(['config.style=noir', 'step.scene_detail.promptVersion=8'])(
  'a plan may assume %s, as on the command line',
  (one) => {
    expect(planQuery.parse({ assume: one }).assume).toEqual([one]);
  },
);

test.each(['step.scene_detail.schemaVersion=8', 'style=noir', 'config.style'])('a plan may not assume %s', (one) => {
  expect(planQuery.safeParse({ assume: one }).success).toBe(false);
});
