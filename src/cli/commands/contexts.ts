import type { ContextBody } from '../../bodies/contexts';
import { atDesk, withProject } from '../command-frame';
import { operatorName, type Context } from '../context';
import { readContextFile } from '../context-file';
import { EXIT } from '../exit-codes';
import { plainLine, plainLines } from '../plain-text';
import { contextLines } from '../render/context-list';
import { CONTEXTS_LISTED } from '../../operations/contexts/contract';
import { UsageError } from '../report-error';
import type { Session } from '../session';
import type { Registration } from './command';

interface ContextOptions {
  readonly project: string;
  readonly title?: string;
  readonly failed?: boolean;
}

type Work = (session: Session) => Promise<number>;

const FORMS =
  'callsheet contexts; contexts show ID; contexts add FILE; contexts replace ID FILE; contexts delete ID. FILE may be - for standard input.';

/** `callsheet contexts [show|add|replace|delete]`: what the world guide draws on besides the screenplay (spec 30). */
export function registerContexts({ program, context, action }: Registration): void {
  withProject(
    program
      .command('contexts')
      .description("a project's reference material, and the state of its AI work")
      .argument('[act]', 'show ID, add FILE, replace ID FILE, or delete ID; without: list')
      .argument('[id-or-file]')
      .argument('[file]'),
  )
    .option('--title <title>', "of what is added or replaced (default: the file's name)")
    .option('--failed', 'list only those whose AI work has failed')
    .action(
      action(
        async (
          act: string | undefined,
          first: string | undefined,
          second: string | undefined,
          options: ContextOptions,
        ) => atDesk(context, 'database', workOf(context, act ?? 'list', [first, second], options)),
      ),
    );
}

/** Files are read before anything is opened. Throws UsageError, input.invalid. */
function workOf(context: Context, act: string, names: readonly (string | undefined)[], options: ContextOptions): Work {
  const by = operatorName();
  const given = names.filter((name) => name !== undefined);
  const [one = '', other = ''] = given;
  const form = `${act} ${given.length}`;
  switch (form) {
    case 'list 0':
      return (session) => list(context, session, options);
    case 'show 1':
      return (session) => show(context, session, one);
    case 'add 1': {
      const content = contentOf(one, options.title);
      return async ({ operations }) =>
        tell(context, 'Added', await operations.contexts.create({ ...content, projectId: options.project, by }));
    }
    case 'replace 2': {
      const content = contentOf(other, options.title);
      return async ({ operations }) =>
        tell(context, 'Replaced', await operations.contexts.replace({ ...content, id: one, by }));
    }
    case 'delete 1':
      return async ({ operations }) => tell(context, 'Deleted', await operations.contexts.remove({ id: one, by }));
    default:
      throw new UsageError('This is no form of contexts.', FORMS);
  }
}

function contentOf(file: string, title: string | undefined): { title: string; body: string } {
  const { name, text } = readContextFile(file);
  return { title: title ?? name, body: text };
}

async function list({ terminal }: Context, { operations }: Session, options: ContextOptions): Promise<number> {
  const body = await operations.contexts.list({ projectId: options.project, failedOnly: options.failed });
  terminal.body(body);
  if (body.contexts.length === 0)
    terminal.line(
      options.failed ? 'None has failed.' : 'There are no contexts; callsheet contexts add FILE makes one.',
    );
  else for (const line of contextLines(terminal, body.contexts, { withProject: false })) terminal.line(line);
  if (body.contexts.length === CONTEXTS_LISTED) terminal.note(`The first ${CONTEXTS_LISTED} are listed.`);
  return EXIT.done;
}

async function show({ terminal }: Context, { operations }: Session, id: string): Promise<number> {
  const whole = await operations.contexts.read(id);
  terminal.body(whole);
  for (const line of contextLines(terminal, [whole], { withProject: true })) terminal.line(line);
  if (whole.summary !== null) terminal.line(`\n${terminal.colours.bold('Summary')}`);
  for (const line of plainLines(whole.summary ?? '')) terminal.line(line);
  terminal.line(`\n${terminal.colours.bold('Text')}`);
  for (const line of plainLines(whole.body)) terminal.line(line);
  return EXIT.done;
}

function tell({ terminal }: Context, what: string, context: ContextBody): number {
  terminal.body(context);
  terminal.line(`${what}: context ${plainLine(context.id)}, ${plainLine(context.title)}.`);
  if (what !== 'Deleted')
    terminal.note(
      terminal.colours.dim(
        'The AI service is asked for embedding and summary; callsheet contexts shows what comes of it.',
      ),
    );
  return EXIT.done;
}
