/** What a token may do (spec 50): `service` reports AI work and nothing else; an operator may do all that a viewer may. */
export const ROLES = ['viewer', 'operator', 'service'] as const;
export type Role = (typeof ROLES)[number];

/** Who a request is from. Without tokens it is whoever sits at this machine, and may do everything. */
export interface Caller {
  readonly name: string;
  readonly role: Role | 'owner';
}

/** At this machine, where no tokens are configured. */
export const OWNER: Caller = { name: 'loopback', role: 'owner' };

/** What a route asks for: nothing at all, or at least this role. */
export type Need = 'nobody' | Role;

export function mayUse(caller: Caller, need: Need): boolean {
  switch (need) {
    case 'nobody':
      return true;
    case 'viewer':
      return caller.role === 'viewer' || caller.role === 'operator' || caller.role === 'owner';
    case 'operator':
    case 'service':
      return caller.role === need || caller.role === 'owner';
  }
}

/** The name under which an act of this caller stands in the audit table. */
export function auditName(caller: Caller): string {
  return `api:${caller.name}`;
}
