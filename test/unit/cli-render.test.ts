import type { LockBody } from '../../src/bodies/locks';
import type { PlanBody, PlanStepBody } from '../../src/bodies/plan';
import { statusLines } from '../../src/cli/commands/status';
import { columnsOf } from '../../src/cli/plain-text';
import { decisionTable } from '../../src/cli/render/decision-table';
import { lockLines, whatToDo } from '../../src/cli/render/lock-list';
import { planLines } from '../../src/cli/render/plan-table';
import { purchaseLines } from '../../src/cli/render/purchase-table';
import { stepTable } from '../../src/cli/render/step-table';
import { summaryLines } from '../../src/cli/render/summary';
import { statusReading, stepStatus } from '../support/status-body';
import { terminalDouble } from '../support/terminal-double';

const NOW = '2026-03-25T04:12:41.000000Z';
const OPTIONS = { now: NOW, cancelRequested: new Set<string>(), withOwners: true };

// eslint-disable-next-line no-control-regex -- colours are taken off to measure
const bare = (line: string) => line.replace(/\u001b\[[0-9;]*m/g, '');

const busy = stepStatus('scene_image_pipeline', {
  status: 'running',
  owner: { host: 'a-very-long-host-name.of.some.cluster.example', hostId: null, pid: 4711, bootId: null },
  heartbeatAt: '2026-03-25 04:12:11+00',
  applicableCount: 63,
  completedCount: 12,
  failedCount: 2,
  calls: 14,
  costUsd: 0.48,
  inDoubt: 1,
});

describe('the table of steps', () => {
  test('fits 80 columns, whatever a row says', () => {
    const { terminal } = terminalDouble({ columns: 80 });
    const long = stepStatus('x'.repeat(256), {
      status: 'failed',
      errorMessage: `provider.refused: ${'nope '.repeat(60)}`,
    });
    const lines = stepTable(terminal, [busy, long], OPTIONS);
    expect(lines.map((line) => columnsOf(bare(line))).filter((width) => width > 80)).toEqual([]);
  });

  test('shows items, calls, cost, the age of the heartbeat, and keeps the owner in sight', () => {
    const { terminal } = terminalDouble();
    const text = stepTable(terminal, [busy], OPTIONS).join('\n');
    expect(text).toMatch(
      /scene_image_pipeline +▸ running +12\/63 +14 +\$0\.48 +30s +a-very-long-host-name\.of\.some\.cluster\.example:4711/,
    );
    expect(text).toContain('2 items failed');
    expect(text).toContain('1 purchase in doubt');
  });

  test('a failure says what to do next, by the code in its message', () => {
    const { terminal } = terminalDouble();
    const lines = stepTable(
      terminal,
      [stepStatus('scene_detail', { status: 'partial', errorMessage: 'budget.exhausted: 3 items are left' })],
      OPTIONS,
    );
    expect(lines.join('\n')).toMatch(/next: Raise the cap/);
  });

  test('a time without a zone has no age that anybody could tell', () => {
    const { terminal } = terminalDouble();
    const lines = stepTable(terminal, [{ ...busy, heartbeatAt: '2026-03-25 04:12:11' }], OPTIONS);
    expect(lines[1]).toMatch(/ \? +a-very/);
  });

  test('outside of a terminal a row stays on one line and bears no colour', () => {
    const { terminal } = terminalDouble();
    const text = stepTable(terminal, [stepStatus('y'.repeat(256))], OPTIONS).join('\n');
    expect(text).toContain('y'.repeat(256));
    expect(text).not.toContain('\u001b');
  });
});

test('a block is never cut, in however narrow a terminal', () => {
  const { terminal } = terminalDouble({ columns: 60 });
  const reason =
    'scene_detail does not verify: S3 t2i_prompt_hash differs; force it if its result may be replaced. (origin=invariant_drift)';
  const lines = decisionTable(terminal, [
    { stepId: 'scene_detail', action: 'block', origin: 'invariant_drift', code: 'step.resume_blocked', reason },
  ]);
  expect(lines.map(bare).join(' ').replace(/\s+/g, ' ')).toContain(`step.resume_blocked: ${reason}`);
});

test('the summary ends with links that are whole, and says what is in doubt and where to decide', () => {
  const { terminal } = terminalDouble({ columns: 60 });
  const url = `http://127.0.0.1:8233/namespaces/default/workflows/${'episode%2Flocal%2F'}${'e'.repeat(80)}/history`;
  const reading = statusReading([busy], { inDoubt: 1, costUsd: 0.48, atRiskUsd: 0.04 });
  const lines = summaryLines(terminal, { reading, state: 'partial', blocks: [], url, stackStays: false }).map(bare);
  expect(lines).toContain(url);
  expect(lines.join(' ')).toMatch(/1 purchase in doubt, \$0\.04 at risk: callsheet purchases --in-doubt/);
});

describe('what was closed and may have been charged is told though nothing is in doubt', () => {
  const { terminal } = terminalDouble();
  const closed = stepStatus('scene_image_pipeline', { status: 'completed', calls: 2, costUsd: 0.04, atRiskUsd: 0.04 });

  test('in the status, by step and in all; an episode without any says nothing of it', () => {
    const text = statusLines(terminal, statusReading([closed], { costUsd: 0.04, atRiskUsd: 0.04 })).join('\n');
    expect(text).toContain('closed without an answer: may have been charged, $0.04 at risk');
    expect(text).toMatch(
      /^\$0\.04 at risk: calls that were closed may have been charged: callsheet purchases --project/m,
    );
    expect(statusLines(terminal, statusReading([stepStatus('world_guide')])).join('\n')).not.toMatch(/risk|charged/);
  });

  const planStep = (stepId: string, atRiskUsd: number): PlanStepBody => ({
    stepId,
    action: 'skip',
    origin: null,
    code: null,
    reason: 'done',
    evidence: [],
    calls: 0,
    costUsd: 0,
    expectedMinutes: 0,
    reused: 1,
    inDoubt: 0,
    atRiskUsd,
    estimated: false,
    items: [],
  });
  const planOf = (...steps: PlanStepBody[]): PlanBody => ({
    token: 't',
    mode: 'resume',
    steps,
    calls: 0,
    costUsd: 0,
    atRiskUsd: steps.reduce((sum, step) => sum + step.atRiskUsd, 0),
    expectedMinutes: 0,
  });

  test('in the plan, below its step and in all; a plan without any says nothing of it', () => {
    const lines = planLines(terminal, planOf(planStep('world_guide', 0), planStep('scene_detail', 0.04)), null);
    expect(lines.filter((line) => line.includes('$0.04 at risk')).map((line) => line.trim())).toEqual([
      'earlier calls may have been charged: $0.04 at risk',
      '$0.04 at risk: earlier calls may have been charged.',
    ]);
    expect(planLines(terminal, planOf(planStep('world_guide', 0)), null).join('\n')).not.toMatch(/risk|charged/);
  });

  test('in the sum of the purchases', () => {
    const sumOf = (atRiskUsd: number) =>
      purchaseLines(terminal, { purchases: [], costUsd: 0.04, atRiskUsd }, { undecided: false }).at(-1);
    expect(sumOf(0.04)).toBe('0 purchases, $0.04 charged for certain, $0.04 at risk.');
    expect(sumOf(0)).toBe('0 purchases, $0.04 charged for certain.');
  });
});

describe('locks', () => {
  const lock: LockBody = {
    id: 'row-1',
    recoveryCount: 0,
    projectId: null,
    episodeId: null,
    stepId: 'old_step',
    runId: null,
    owner: null,
    startedAt: 'foo 1',
    heartbeatAt: null,
    cancelRequestedAt: null,
    verdict: 'unknown',
    branch: 6,
    proof: 'legacy_timeout',
    ages: { startedSeconds: null, heartbeatSeconds: null },
    reason: 'the row has no owner',
  };

  test('a row from before ownership shows that nothing is known, and its row id', () => {
    const { terminal } = terminalDouble();
    const text = lockLines(terminal, [lock], { withPlace: true }).join('\n');
    expect(text).toMatch(/old_step +unknown +\? +\? +0x +-/);
    expect(text).toContain('row row-1');
  });

  test('an unknown owner is to be found out about first; the command names the row id where there is no run', () => {
    expect(whatToDo(lock)).toBe(
      'find out whether - lives; if you have ended it: callsheet release --row row-1 --force --reason WHY --run row-1',
    );
    expect(whatToDo({ ...lock, verdict: 'alive' })).toMatch(/^leave it/);
  });
});
