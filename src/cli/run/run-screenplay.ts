import type { RunBody } from '../../bodies/run';
import { AppError } from '../../domain/errors';
import type { RunState } from '../../domain/status';
import type { StartAnswer } from '../../operations/contract';
import { decisionsOfRun } from '../../operations/queries/announced';
import { readStatus, type StatusReading } from '../../operations/queries/status';
import type { Context } from '../context';
import { EXIT, exitOfState } from '../exit-codes';
import { startRefusal } from '../../operations/refusal';
import { decisionTable } from '../render/decision-table';
import { summaryLines } from '../render/summary';
import { reportError } from '../report-error';
import { placeOf } from '../place';
import { inSession, type Session } from '../session';
import { beginRun, type Begun } from './begin';
import { exportsDirectory, sheetLines, writeSheet } from './export-sheet';
import { chooseEpisode } from './choose-episode';
import { followRun } from './follow';
import { RunProgress } from './progress';
import type { AskedRun, RunRequest } from './request';

/** So often a joined stack may end under the run before this command gives up. */
const MAX_STACKS = 5;

/**
 * `callsheet run`: stores the screenplay, starts or attaches, shows progress, and ends with the contact sheet's paths. Answers
 * the exit code. A joined stack that ends is replaced by an own one, and the run is attached to again (spec 50 "Setting up").
 */
export async function runScreenplay(context: Context, asked: AskedRun): Promise<number> {
  const progress = new RunProgress(context.terminal);
  const onInterrupt = (joined: boolean | null) => {
    progress.end();
    progress.say(farewell(joined));
  };
  let request: RunRequest | null = null;
  let begun: Begun | null = null;
  progress.say('Getting PostgreSQL, Temporal and a worker ready …');
  try {
    for (let stacks = 1; stacks <= MAX_STACKS; stacks += 1) {
      const need = asked.options.detach ? 'services' : 'everything';
      const ended = await inSession(context, { need, say: progress.say, onInterrupt }, async (session) => {
        request ??= await chooseEpisode(session, asked);
        begun ??= announce(context, await beginRun(session, request));
        return carryOut(context, session, request, begun, progress);
      });
      if (ended.end === 'done') return ended.value;
      if (ended.end === 'interrupted') {
        if (begun !== null) context.terminal.body(runBodyOf((begun as Begun).answer));
        return ended.exitCode;
      }
      progress.end();
      progress.say('The stack that this command had joined has ended: starting an own one, and attaching again.');
    }
  } finally {
    progress.end();
  }
  throw new AppError(
    'stack.start_failed',
    `A stack ended under the run ${MAX_STACKS} times; the run goes on at the next start.`,
  );
}

/** What becomes of the work at the first Ctrl-C; `joined` is null while nothing is open yet. */
function farewell(joined: boolean | null): string {
  if (joined === null) return 'Ending what has been started so far. Ctrl-C again ends at once.';
  return joined
    ? 'No longer watching; the run goes on in the stack that is kept running.'
    : 'Stopping at safe points, keeping what is there; the run goes on at the next start. Ctrl-C again ends at once.';
}

function announce({ terminal }: Context, begun: Begun): Begun {
  const { answer, attached } = begun;
  if (attached) terminal.line(`An open run was found (${answer.workflowId}); attached to it.`);
  if (answer.decisions.length > 0) {
    for (const line of decisionTable(terminal, answer.decisions)) terminal.line(line);
    terminal.line();
  }
  if (answer.outcome === 'queued') terminal.line('Queued: no worker has taken it yet.');
  return begun;
}

async function carryOut(
  context: Context,
  session: Session,
  request: RunRequest,
  { answer }: Begun,
  progress: RunProgress,
): Promise<number> {
  const { terminal } = context;
  if (answer.outcome === 'blocked') {
    const error = new AppError(answer.code ?? 'step.resume_blocked', answer.reason ?? 'A step blocks the run.');
    reportError(terminal, error, startRefusal(answer));
    // A refusal, whatever its code's status: a verifier that crashed blocks like any other (spec 50 "Command line").
    return EXIT.blocked;
  }
  const { workflowId, runId } = answer;
  if (answer.outcome === 'nothing_to_start') {
    terminal.line('Nothing to run: every step is done.');
    terminal.line();
    const reading = await readStatus(session.operations.db, request.episode, session.operations.temporalUi);
    const result = Object.fromEntries(reading.body.steps.map((step) => [step.stepId, step.status]));
    return finish(context, session, request, answer, { state: 'done', result }, reading);
  }
  // Nothing answered in time, and no run is open under this id: it may have been taken and ended, or never have begun.
  if (runId === null)
    throw new AppError(
      'temporal.unavailable',
      `Whether ${workflowId} was started is not known: Temporal did not answer in time, and names no open run.`,
    );
  if (request.options.detach) {
    terminal.line(`Started: ${workflowId} (${runId}). Watch it: callsheet status --watch ${placeOf(request.episode)}`);
    if (answer.url !== null) terminal.line(answer.url);
    terminal.body(runBodyOf(answer));
    return EXIT.done;
  }
  const followed = await followRun(
    session,
    request.episode,
    { workflowId, workflowRunId: runId },
    progress.begin(answer.decisions),
  );
  progress.end();
  // The session is over, and its end is what counts.
  if (followed === null) return EXIT.failed;
  terminal.line();
  return finish(context, session, request, answer, followed.result, followed.reading);
}

async function finish(
  context: Context,
  session: Session,
  { episode }: RunRequest,
  answer: StartAnswer,
  { state, result }: { readonly state: RunState; readonly result: Readonly<Record<string, string>> },
  reading: StatusReading,
): Promise<number> {
  const { terminal } = context;
  const { db } = session.operations;
  const decisions = state === 'blocked' && answer.runId !== null ? await decisionsOfRun(db, answer.runId) : [];
  const blocks = decisions.filter((decision) => decision.action === 'block');
  const sheet = await writeSheet(context, session, episode, reading, exportsDirectory(session, episode));
  // The session has ended meanwhile, and its end is what counts: the next one, or the interrupt, tells the outcome.
  if (session.over.aborted) return EXIT.failed;
  const facts = {
    reading,
    state,
    blocks,
    url: answer.url ?? reading.body.workflow?.url ?? null,
    stackStays: session.stack.joined,
  };
  for (const line of [...summaryLines(terminal, facts), '', ...sheetLines(sheet)]) terminal.line(line);
  terminal.body({ ...runBodyOf(answer), result: { ...result } } satisfies RunBody);
  return exitOfState(state);
}

function runBodyOf({ workflowId, runId, url, decisions }: StartAnswer): RunBody {
  return { workflowId, runId, url, decisions: [...decisions] };
}
