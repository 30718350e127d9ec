import type { AskDependencies } from '../../contexts/ask';

export interface ContextDependencies extends AskDependencies {
  newId(): string;
}
