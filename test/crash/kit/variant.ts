import { FAKE_PRICES, startFakeProvider, type FakeProvider } from '../../support/fake-provider';
import { setSetting } from '../../../src/operations/set-setting';
import type { Db } from '../../../src/db/pool';
import { answerOffline } from '../../../src/providers/offline/text/answer';
import type { Json } from '../../../src/domain/json';

/** Who is paid, and what the project says about calls in doubt. */
export const VARIANTS = {
  offline: { about: 'offline: a till in a file, a key is charged once', keysHonoured: true, inDoubt: 'rebuy' },
  'http-keys': { about: 'over HTTP: a key is charged once', keysHonoured: true, inDoubt: 'rebuy' },
  'http-rebuy': {
    about: 'over HTTP: every request is charged; in doubt: bought again',
    keysHonoured: false,
    inDoubt: 'rebuy',
  },
  'http-ask': {
    about: 'over HTTP: every request is charged; in doubt: the operator is asked',
    keysHonoured: false,
    inDoubt: 'ask',
  },
} as const;

export type VariantName = keyof typeof VARIANTS;

export const OFFLINE_PRICE_USD = 0.01;

/** What a provider's own books say: one line for each charge. */
export interface TillLine {
  readonly key: string;
  readonly usd: number;
}

/** The fake of a vendor, writing what the offline provider would, so that all steps can work with it. */
export async function startVendor(name: VariantName): Promise<FakeProvider | null> {
  if (name === 'offline') return null;
  const vendor = await startFakeProvider({ honoursKeys: VARIANTS[name].keysHonoured });
  vendor.writes((input, task) => JSON.stringify(answerOffline(task, input as Json)));
  return vendor;
}

/** The environment of the workers for this variant. */
export function vendorEnv(name: VariantName, vendor: FakeProvider | null): Record<string, string> {
  if (!vendor) return {};
  return {
    CALLSHEET_HTTP_PROVIDER_URL: vendor.url,
    CALLSHEET_HTTP_PROVIDER_IDEMPOTENT: String(VARIANTS[name].keysHonoured),
    CALLSHEET_HTTP_PROVIDER_PER_MINUTE: '6000',
    CALLSHEET_HTTP_PRICE_INPUT_USD: String(FAKE_PRICES.inputUsdPerMillion),
    CALLSHEET_HTTP_PRICE_OUTPUT_USD: String(FAKE_PRICES.outputUsdPerMillion),
    CALLSHEET_HTTP_PRICE_IMAGE_USD: String(FAKE_PRICES.imageUsd),
  };
}

/** The project's settings: small pictures, a price for each call, the variant's provider and policy. */
export async function configureProject(db: Db, projectId: string, name: VariantName): Promise<void> {
  const provider = name === 'offline' ? 'offline' : 'http';
  const settings = {
    'image.size': '96x54',
    'offline.priceUsd': String(OFFLINE_PRICE_USD),
    'provider.text': provider,
    'provider.image': provider,
    'inDoubt.text': VARIANTS[name].inDoubt,
    'inDoubt.image': VARIANTS[name].inDoubt,
  };
  for (const [key, value] of Object.entries(settings)) await setSetting(db, { projectId, key, value, by: 'crash kit' });
}
