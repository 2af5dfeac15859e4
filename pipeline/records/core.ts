import { z } from 'zod';

/**
 * Maps each record schema to its core fields. An answer in which all core fields are null has no useful content, so it
 * is refused and not charged. Every real answer has a value in at least one core field, even when the account hides its
 * counts.
 */
export const coreFields = z.registry<{ fields: readonly string[] }>();
