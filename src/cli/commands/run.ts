import type { Command } from 'commander';
import { withProject } from '../command-frame';
import { dollarAmount, itemChoice, oneStep, stepList } from '../option-values';
import { readRunRequest, type RunOptions } from '../run/request';
import { runScreenplay } from '../run/run-screenplay';
import type { Registration } from './command';

/** The step whose items are shots. */
const SHOTS = 'scene_image_pipeline';

/** `callsheet run` and `callsheet redo` (spec 50 "Command line"). */
export function registerRun({ program, context, action }: Registration): void {
  withRunning(
    withProject(
      program
        .command('run')
        .description('take a screenplay to storyboard images')
        .argument(
          '[screenplay]',
          "a .fountain or .txt file (default: the project's only episode; in an empty project the example)",
        ),
    ),
  )
    .option(
      '--episode <id>',
      "the episode's id (default: from the file's name); without a file, one that exists (default: the project's only one)",
    )
    .option('--steps <steps>', 'only these steps (a,b)', stepList)
    .option('--from <step>', 'this step and all downstream of it', oneStep)
    .option('--force <steps>', 'run these steps again even if they are done (a,b)', stepList)
    .option('--items <choice>', 'ask these items again (STEP:ITEM,…)', itemChoice)
    .option('--plan-token <token>', 'exactly the plan with this token, or refuse')
    .action(
      action(async (file: string | undefined, options: RunOptions) =>
        runScreenplay(context, await readRunRequest(file, options)),
      ),
    );

  withRunning(
    withProject(
      program
        .command('redo')
        .description('draw one shot again')
        .argument('<shot>', 'a shot id, as the contact sheet shows it'),
    ),
  )
    .option('--episode <id>', "the episode (default: the project's only one)")
    .action(
      action(async (shot: string, options: RunOptions) =>
        runScreenplay(
          context,
          await readRunRequest(undefined, { ...options, steps: [SHOTS], items: { [SHOTS]: [shot] } }),
        ),
      ),
    );
}

function withRunning(command: Command): Command {
  return command
    .option('--budget <usd>', 'a cap for this run in US dollars', dollarAmount)
    .option('--detach', 'start it and leave; needs callsheet up, or external services');
}
