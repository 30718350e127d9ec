import type { CompletionReport } from '../domain/completion';
import type { StepId } from '../domain/steps';
import { z } from 'zod';
import { failedSchema, parseBody } from './checkpoint-body';
import type { ArtifactFinding, VerifyContext } from './definition';
import { attempt, missingItem, reportOf, type Finding } from './findings';
import { imageSize } from './project-config';

const RANK = { structure: 1, absent: 2, artifact: 3 } as const;

/** What every image checkpoint says of a picture; width and height in pixels. */
export const pictureSchema = z.object({
  artifact: z.string().regex(/^[0-9a-f]{64}$/),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  content_type: z.string().min(1),
});

type Picture = z.infer<typeof pictureSchema>;

/** What an image step tells the shared verifier. */
export interface ImageCheck<T> {
  readonly step: StepId;
  readonly schema: z.ZodType<T>;
  /** Loads the checkpoints needed and answers the items that there must be. */
  readonly expected: () => readonly string[];
  readonly pictures: (body: T) => readonly (readonly [item: string, picture: Picture])[];
}

/**
 * Verifies an image step, in order: needed checkpoints and own shape (contract_drift), items absent or failed (artifact_missing), then each
 * picture: the file exists, decodes, its hash is its name, and it has the size asked for (artifact_missing: that item is made again).
 */
export async function verifyImages<T>(
  { inputs, body, artifacts }: VerifyContext,
  check: ImageCheck<T>,
): Promise<CompletionReport> {
  const expected = attempt(RANK.structure, check.expected);
  if ('finding' in expected) return reportOf([expected.finding], false);
  const own = attempt(RANK.structure, () => ({
    pictures: new Map(check.pictures(parseBody(body, check.step, check.schema))),
    ...parseBody(body, check.step, failedOnly),
  }));
  if ('finding' in own) return reportOf([own.finding], false);
  const { pictures } = own.value;
  const failed = new Map(own.value.failed.map((item) => [item.item_id, item.code]));
  const findings: Finding[] = [];
  let usable = 0;
  for (const item of expected.value) {
    const picture = pictures.get(item);
    const code = failed.get(item);
    if (code !== undefined || !picture) {
      findings.push(
        missingItem(RANK.absent, item, code === undefined ? 'the picture is absent' : `the item failed: ${code}`),
      );
      continue;
    }
    const wrong = wrongWith(await artifacts.image(picture.artifact), picture, imageSize(inputs.config));
    if (wrong === null) usable += 1;
    else
      findings.push({
        rank: RANK.artifact,
        origin: 'artifact_missing',
        item,
        evidence: { what: wrong, where: picture.artifact },
      });
  }
  return reportOf(findings, usable > 0);
}

const failedOnly = z.object({ failed: failedSchema });

function wrongWith(
  finding: ArtifactFinding,
  picture: Picture,
  asked: { width: number; height: number },
): string | null {
  switch (finding.state) {
    case 'missing':
      return 'the image file is missing';
    case 'damaged':
      return `the image file is damaged: ${finding.why}`;
    case 'ok': {
      const sizes = [finding, picture];
      if (sizes.every((size) => size.width === asked.width && size.height === asked.height)) return null;
      return `the image is ${finding.width}x${finding.height} and not ${asked.width}x${asked.height}`;
    }
  }
}
