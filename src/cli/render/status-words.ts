import type { Colours } from '../terminal';

type Paint = (text: string) => string;

/** How statuses, actions and verdicts look: a mark, and a colour. The word itself always stands beside it. */
export function statusPaint(colours: Colours, status: string): Paint {
  switch (status) {
    case 'completed':
    case 'done':
      return colours.green;
    case 'running':
      return colours.cyan;
    case 'failed':
      return colours.red;
    case 'partial':
    case 'cancelled':
    case 'blocked':
    case 'stale':
      return colours.yellow;
    default:
      return colours.dim;
  }
}

export function statusMark(status: string): string {
  switch (status) {
    case 'completed':
      return '✓';
    case 'running':
      return '▸';
    case 'failed':
      return '✗';
    case 'partial':
    case 'cancelled':
    case 'stale':
      return '!';
    case 'not_applicable':
      return '–';
    default:
      return '·';
  }
}

export function verdictPaint(colours: Colours, verdict: string): Paint {
  if (verdict === 'alive') return colours.green;
  return verdict === 'dead' ? colours.red : colours.yellow;
}

export function actionPaint(colours: Colours, action: string): Paint {
  switch (action) {
    case 'skip':
      return colours.green;
    case 'block':
      return colours.red;
    case 'not_applicable':
      return colours.dim;
    default:
      return colours.cyan;
  }
}

/** An action in a few words for people; JSON keeps the spec's names. */
export function actionWords(action: string): string {
  switch (action) {
    case 'rerun_self':
      return 'run';
    case 'force_explicit':
      return 'force';
    case 'stale_running_recovery':
      return 'take over';
    case 'not_applicable':
      return 'not applicable';
    default:
      return action;
  }
}
