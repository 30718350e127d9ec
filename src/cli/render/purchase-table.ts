import type { PurchaseBody, PurchasesBody } from '../../bodies/purchases';
import { counted, money } from '../figures';
import { tableLines, type Cell, type Row } from '../table';
import type { Colours, Terminal } from '../terminal';

/** Paid calls with what they cost; what needs a person's word says so (spec 40). `undecided`: all of them do. */
export function purchaseLines(
  terminal: Terminal,
  { purchases, costUsd, atRiskUsd }: PurchasesBody,
  options: { readonly undecided: boolean },
): string[] {
  const { colours } = terminal;
  const table = tableLines(
    terminal,
    [
      { title: 'STEP', shrinksTo: 12 },
      { title: 'ITEM', shrinksTo: 8 },
      { title: 'STATUS' },
      { title: 'COST', align: 'right' },
      { title: 'MODEL', shrinksTo: 8 },
      { title: 'SENT' },
    ],
    purchases.map((purchase): Row => ({
      cells: [
        purchase.stepId,
        purchase.itemId,
        { text: purchase.status.replace('_', ' '), paint: paintOf(colours, purchase.status) },
        purchase.costUsd === null ? `~${money(purchase.estimatedCostUsd)}` : money(purchase.costUsd),
        purchase.model,
        purchase.sentAt.slice(0, 19),
      ],
      notes: notesOf(terminal, purchase, options.undecided),
    })),
  );
  return [
    ...table,
    '',
    colours.bold(
      `${counted(purchases.length, 'purchase')}, ${money(costUsd)} charged for certain${atRiskUsd > 0 ? `, ${money(atRiskUsd)} at risk` : ''}.`,
    ),
  ];
}

function notesOf({ colours }: Terminal, purchase: PurchaseBody, undecided: boolean): Cell[] {
  const notes: Cell[] = [];
  if (purchase.errorCode !== null) notes.push({ text: purchase.errorCode, paint: colours.dim });
  if (undecided || purchase.status === 'in_doubt')
    notes.push({
      text: `may have been charged; decide: callsheet settle ${purchase.id} buy-again|give-up`,
      paint: colours.yellow,
    });
  return notes;
}

function paintOf(colours: Colours, status: PurchaseBody['status']): (text: string) => string {
  switch (status) {
    case 'settled':
      return colours.green;
    case 'sent':
      return colours.cyan;
    case 'in_doubt':
    case 'invalid':
      return colours.yellow;
    case 'refused':
      return colours.red;
    case 'failed':
    case 'closed':
      return colours.dim;
  }
}
