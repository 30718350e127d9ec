import fc from 'fast-check';
import type { End } from './ledger';

export const OWNERS = 4;

/** What one of up to four owners does next. Reading and acting are two acts, so that others come in between. */
export type Act =
  | { readonly act: 'read' | 'claim' | 'reclaim' | 'forget' | 'die'; readonly owner: number }
  /** Of the run that it took last, or of the first one that it has not given up: two attempts in one process. */
  | { readonly act: 'beat'; readonly owner: number; readonly run: 'first' | 'last' }
  | { readonly act: 'end'; readonly owner: number; readonly run: 'first' | 'last'; readonly status: End }
  | { readonly act: 'adopt'; readonly owner: number; readonly from: number }
  /** Nobody has beaten for longer than the lease, whatever the reason. */
  | { readonly act: 'lease passes' }
  /** A cancel of the run of the workflow; the next claims are for the next run. */
  | { readonly act: 'cancel' };

const owner = fc.nat({ max: OWNERS - 1 });

const run = fc.constantFrom('first' as const, 'last' as const);
const status = fc.constantFrom<End>('completed', 'failed', 'pending', 'cancelled');
const of = <A extends Act['act']>(act: A) => fc.constant(act);

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    act: fc.constantFrom('read' as const, 'claim' as const, 'reclaim' as const, 'forget' as const, 'die' as const),
    owner,
  }),
  fc.record({ act: of('beat'), owner, run }),
  fc.record({ act: of('end'), owner, run, status }),
  fc.record({ act: of('adopt'), owner, from: owner }),
  fc.record({ act: of('lease passes') }),
  fc.record({ act: of('cancel') }),
);

const claims = (one: number): Act[] => [
  { act: 'read', owner: one },
  { act: 'claim', owner: one },
];

/** A lease that passes between two looks, and an act of anybody between the second look and what it leads to. */
const takeover = fc
  .tuple(owner, owner, act, fc.constantFrom('claim' as const, 'reclaim' as const))
  .map(([one, other, between, last]): Act[] => [
    ...claims(other),
    { act: 'lease passes' },
    { act: 'read', owner: one },
    between,
    { act: last, owner: one },
  ]);

/** An owner loses its row, takes it again under another token, and then comes back to the first one. */
const secondToken = fc
  .tuple(owner, owner, status)
  .map(([one, other, end]): Act[] => [
    ...claims(one),
    { act: 'lease passes' },
    { act: 'read', owner: other },
    { act: 'reclaim', owner: other },
    ...claims(one),
    { act: 'end', owner: one, run: 'first', status: end },
  ]);

/** What chance alone would seldom bring about, besides single acts. */
const turn: fc.Arbitrary<Act[]> = fc.oneof(
  { weight: 6, arbitrary: act.map((one) => [one]) },
  { weight: 4, arbitrary: owner.map(claims) },
  { weight: 4, arbitrary: takeover },
  { weight: 1, arbitrary: secondToken },
  {
    weight: 1,
    arbitrary: owner.map((one): Act[] => [
      { act: 'read', owner: one },
      { act: 'cancel' },
      { act: 'claim', owner: one },
    ]),
  },
);

/** Scripts of about so many acts. */
export const acts = (most: number): fc.Arbitrary<Act[]> =>
  fc.array(turn, { minLength: 3, maxLength: Math.ceil(most / 3), size: 'max' }).map((turns) => turns.flat());
