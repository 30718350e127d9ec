import type { OwnerBody } from '../../bodies/owner';

/** `host:pid`, with `?` for what the row does not say; `-` for a row without an owner. */
export function ownerText(owner: OwnerBody | null): string {
  if (owner === null) return '-';
  return `${owner.host ?? '?'}:${owner.pid ?? '?'}`;
}
