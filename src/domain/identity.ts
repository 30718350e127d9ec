/** Who a process is, for the ledger (spec 10 "Columns"). Read once at start. */
export interface ProcessIdentity {
  /** The system's host name. */
  readonly host: string;
  readonly pid: number;
  /** A uuid4 made once for each process. */
  readonly bootId: string;
  /** Fingerprint of the kernel boot and the pid namespace; null where the system does not tell. */
  readonly hostId: string | null;
}
