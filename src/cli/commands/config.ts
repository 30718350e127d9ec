import { readProjectSettings } from '../../operations/queries/project-settings';
import { checkSettingKey, setSetting } from '../../operations/set-setting';
import type { ProjectConfig } from '../../pipeline/project-config';
import { atDesk, withProject } from '../command-frame';
import { operatorName, type Context } from '../context';
import { EXIT } from '../exit-codes';
import { plainLine } from '../plain-text';
import { UsageError } from '../report-error';
import { tableLines } from '../table';
import type { Registration } from './command';

/** `callsheet config [get KEY | set KEY VALUE]`: settings of a project; steps remember those that shape them (spec 20). */
export function registerConfig({ program, context, action }: Registration): void {
  withProject(
    program
      .command('config')
      .description("a project's settings")
      .argument('[act]', 'get KEY, or set KEY VALUE; without: all')
      .argument('[key]')
      .argument('[value]'),
  ).action(
    action(
      async (
        act: string | undefined,
        name: string | undefined,
        value: string | undefined,
        { project: projectId }: { project: string },
      ) => {
        const wanted = act === undefined ? [] : act === 'get' ? [name] : act === 'set' ? [name, value] : [undefined];
        const given = [name, value].filter((one) => one !== undefined);
        if (wanted.includes(undefined) || given.length !== wanted.length)
          throw new UsageError(
            'Say config, config get KEY, or config set KEY VALUE.',
            'callsheet config lists the keys.',
          );
        const key = name === undefined ? undefined : checkSettingKey(name);
        return atDesk(context, 'database', async ({ operations: { db } }) => {
          const settings =
            key !== undefined && value !== undefined
              ? await setSetting(db, { projectId, key, value, by: operatorName() })
              : await readProjectSettings(db, projectId);
          if (key === undefined || value !== undefined) print(context, projectId, settings);
          else {
            context.terminal.body(settings[key]);
            context.terminal.line(plainLine(String(settings[key])));
          }
          return EXIT.done;
        });
      },
    ),
  );
}

function print({ terminal }: Context, projectId: string, settings: ProjectConfig): void {
  terminal.body({ projectId, settings });
  const rows = Object.entries(settings).map(([key, value]) => ({ cells: [key, String(value)] }));
  for (const line of tableLines(terminal, [{ title: 'SETTING' }, { title: 'VALUE', shrinksTo: 20 }], rows))
    terminal.line(line);
}
