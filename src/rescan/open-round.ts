import { askAi } from '../contexts/ask';
import type { AiClient } from '../contexts/ai-client';
import type { Db } from '../db/pool';
import type { Logger } from '../observability/logger';
import { claimExpired } from './claim';
import { countRound } from './count-round';
import { endOrphan } from './end-orphan';
import { finalizeBatch } from './finalize';
import type { RoundSteps } from './round';
import type { RoundSettings } from './settings';

/** The steps of a round over a database and an AI service. */
export function openRound(
  deps: { readonly db: Db; readonly client: AiClient; readonly log: Logger },
  settings: RoundSettings,
): RoundSteps {
  return {
    finalizeBatch: () => finalizeBatch(deps.db, settings),
    claim: () => claimExpired(deps.db, settings),
    ask: (contextId, stop) => askAi(deps, contextId, stop),
    endOrphan: (contextId) => endOrphan(deps.db, contextId),
    count: (counts) => countRound(deps, counts),
  };
}
