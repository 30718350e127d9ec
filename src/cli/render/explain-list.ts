import type { ExplainBody, PastDecisionBody } from '../../bodies/explain';
import { plainLine } from '../plain-text';
import { noteLines } from '../table';
import type { Terminal } from '../terminal';
import { evidenceText } from './plan-table';
import { actionPaint, actionWords } from './status-words';

/** Decisions, newest first, each with who made it and its evidence. */
export function explainLines(terminal: Terminal, { stepId, decisions }: ExplainBody): string[] {
  if (decisions.length === 0) return [`No run of ${plainLine(stepId)} has been decided yet.`];
  return decisions.flatMap((decision) => [...oneDecision(terminal, decision), '']).slice(0, -1);
}

function oneDecision(terminal: Terminal, decision: PastDecisionBody): string[] {
  const { dim, bold } = terminal.colours;
  const action = actionPaint(terminal.colours, decision.action)(bold(actionWords(decision.action)));
  const attempt = decision.attempt === null ? '' : ` ${decision.attempt}`;
  return [
    `${plainLine(decision.at)}  ${action}  ${dim(plainLine(`${decision.madeBy}${attempt}`))}`,
    ...noteLines(terminal, decision.code === null ? decision.reason : `${decision.code}: ${decision.reason}`, '  '),
    ...(decision.origin === null ? [] : noteLines(terminal, { text: `origin ${decision.origin}`, paint: dim }, '  ')),
    ...decision.evidence.flatMap((piece) =>
      noteLines(terminal, { text: `· ${evidenceText(piece)}`, paint: dim }, '  '),
    ),
    ...(decision.runId === null ? [] : noteLines(terminal, { text: `run ${decision.runId}`, paint: dim }, '  ')),
    ...(decision.workflowId === null
      ? []
      : noteLines(
          terminal,
          { text: `workflow ${decision.workflowId} ${decision.workflowRunId ?? ''}`, paint: dim },
          '  ',
        )),
  ];
}
