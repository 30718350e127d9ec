import { z } from 'zod';

/** The plain parts that every body is made of (spec 50): times as text in UTC, money as numbers of dollars. */

/** A time as the ledger holds it. Rows of other tools may hold texts that are no times; they are shown as they are. */
export const timeText = z.string();

/** US dollars; never a text, never cents. */
export const dollars = z.number();

/**
 * US dollars that may have been charged although no definite answer came: the estimates of what is in doubt, and of closed
 * purchases that were sent (spec 40). Not part of `costUsd`; above 0 also where nothing is in doubt any more.
 */
export const dollarsAtRisk = dollars;

export const count = z.number().int().min(0);
