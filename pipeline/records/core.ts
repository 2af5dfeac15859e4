import { z } from 'zod';

/**
 * Maps each record schema to its core fields: a record in which all of them are null has no useful content, so it is refused
 * and not charged. Every real answer has a value in at least one core field, also the answer for a preview, an embed without
 * counts, or an account that hides its counts.
 */
export const coreFields = z.registry<{ fields: readonly string[] }>();
