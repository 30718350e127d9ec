import { hashOf } from '../hash';

/** What an AI stage was asked about, as a hash: reports echo it, so that one for other content is known (spec 30). */
export function contentHash({ title, body }: { readonly title: string; readonly body: string }): string {
  return hashOf({ title, body });
}
