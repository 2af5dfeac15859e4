import { z } from 'zod';

/**
 * Maps each record schema to its core fields: a record in which all of them are null has no useful content, so it is refused
 * and not charged. Every real answer has at least one of them, also a preview, an embed without counts, and an account that
 * hides its counts.
 */
export const coreFields = z.registry<{ fields: readonly string[] }>();
