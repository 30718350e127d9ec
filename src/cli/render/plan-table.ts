import type { PlanBody, PlanStepBody } from '../../bodies/plan';
import { counted, money } from '../figures';
import { tableLines, type Cell } from '../table';
import type { Terminal } from '../terminal';
import { actionPaint, actionWords } from './status-words';

/**
 * Each step's action and money, the reason below (spec 20 "Plan"). Estimates bear a tilde. `command`: what runs exactly this
 * plan; null where none does.
 */
export function planLines(terminal: Terminal, plan: PlanBody, command: string | null): string[] {
  const { bold, dim, yellow } = terminal.colours;
  const table = tableLines(
    terminal,
    [
      { title: 'STEP', shrinksTo: 12 },
      { title: 'ACTION' },
      { title: 'CALLS', align: 'right' },
      { title: 'COST', align: 'right' },
      { title: 'MIN', align: 'right' },
      { title: 'REUSED', align: 'right' },
      { title: 'IN DOUBT', align: 'right' },
    ],
    plan.steps.map((step) => ({
      cells: [
        step.stepId,
        { text: actionWords(step.action), paint: actionPaint(terminal.colours, step.action) },
        about(step, String(step.calls)),
        about(step, money(step.costUsd)),
        minutes(step.expectedMinutes),
        String(step.reused),
        String(step.inDoubt),
      ],
      notes: notesOf(terminal, step),
    })),
  );
  const estimated = plan.steps.some((step) => step.estimated);
  return [
    ...table,
    '',
    bold(
      `A run would buy ${estimated ? 'about ' : ''}${counted(plan.calls, 'call')} for ${estimated ? 'about ' : ''}${money(plan.costUsd)}${within(plan.expectedMinutes)}.`,
    ),
    ...(plan.atRiskUsd > 0 ? [yellow(`${money(plan.atRiskUsd)} at risk: earlier calls may have been charged.`)] : []),
    ...(estimated ? [dim('~ estimated: an earlier step of this plan makes what these are counted from.')] : []),
    dim(`token ${plan.token}`),
    ...(command === null ? [] : [dim(`Exactly this plan, or none: ${command}`)]),
  ];
}

/** Whole minutes, the last begun one counted; `-`: no call of the step has been settled yet. */
function minutes(expected: number | null): string {
  return expected === null ? '-' : String(Math.ceil(expected));
}

function within(expected: number | null): string {
  return expected === null || expected === 0 ? '' : ` in about ${counted(Math.ceil(expected), 'minute')}`;
}

function about(step: PlanStepBody, figure: string): string {
  return step.estimated ? `~${figure}` : figure;
}

function notesOf({ colours }: Terminal, step: PlanStepBody): Cell[] {
  const blocked = step.action === 'block';
  const reason = blocked && step.code ? `${step.code}: ${step.reason}` : step.reason;
  return [
    { text: reason, paint: blocked ? colours.red : colours.dim },
    ...(step.atRiskUsd > 0
      ? [{ text: `earlier calls may have been charged: ${money(step.atRiskUsd)} at risk`, paint: colours.yellow }]
      : []),
    ...step.evidence.map((piece) => ({ text: `· ${evidenceText(piece)}`, paint: colours.dim })),
  ];
}

/** `config style: expected abc, found def`. */
export function evidenceText(piece: PlanStepBody['evidence'][number]): string {
  const compared =
    piece.expected === undefined && piece.found === undefined
      ? ''
      : `: expected ${short(piece.expected)}, found ${short(piece.found)}`;
  return `${piece.what}${piece.where === undefined ? '' : ` ${piece.where}`}${compared}`;
}

/** Hashes are shown by their first twelve digits; JSON has them whole. */
function short(value: string | null | undefined): string {
  if (value === null || value === undefined) return 'nothing';
  return /^[0-9a-f]{64}$/.test(value) ? value.slice(0, 12) : value;
}
