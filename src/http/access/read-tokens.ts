import { readFileSync } from 'node:fs';
import type { ApiSettings } from '../../config';
import { AppError } from '../../domain/errors';
import { Tokens } from './tokens';

/** The configured tokens, of the environment and of the file; in the file, empty lines and those that begin with # are none. Throws config.invalid. */
export function readTokens({ tokens, tokensFile }: ApiSettings): Tokens {
  const listed = tokens === undefined ? [] : tokens.split(',');
  const filed = tokensFile === undefined ? [] : readLines(tokensFile);
  return Tokens.parse(
    [...listed, ...filed].map((entry) => entry.trim()).filter((entry) => entry !== '' && !entry.startsWith('#')),
  );
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    throw new AppError(
      'config.invalid',
      `CALLSHEET_API_TOKENS_FILE=${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}
