import fc from 'fast-check';
import type { End } from './ledger';

export const OWNERS = 4;

/** What one of up to four owners does next. Reading and acting are two acts, so that others come in between. */
export type Act =
  | { readonly act: 'read' | 'claim' | 'beat' | 'reclaim' | 'forget' | 'die'; readonly owner: number }
  | { readonly act: 'adopt'; readonly owner: number; readonly from: number }
  | { readonly act: 'end'; readonly owner: number; readonly status: End }
  /** Nobody has beaten for longer than the lease, whatever the reason. */
  | { readonly act: 'lease passes' }
  /** A cancel of the run of the workflow; the next claims are for the next run. */
  | { readonly act: 'cancel' };

const owner = fc.nat({ max: OWNERS - 1 });

/** Claims that can land and steals come about often enough when these weights are kept. */
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant('read' as const), owner }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constant('claim' as const), owner }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('beat' as const), owner }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('reclaim' as const), owner }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('adopt' as const), owner, from: owner }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('end' as const),
      owner,
      status: fc.constantFrom<End>('completed', 'failed', 'pending', 'cancelled'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('die' as const), owner }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('forget' as const), owner }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('lease passes' as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('cancel' as const) }) },
);

export const acts = (most: number): fc.Arbitrary<Act[]> =>
  fc.array(act, { minLength: 5, maxLength: most, size: 'max' });
