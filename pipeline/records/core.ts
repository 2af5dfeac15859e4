import { z } from 'zod';

/**
 * The core fields of each record schema: a record in which none of them has a value says nothing, so it is refused and not sold. Every real
 * answer has one of them, also a preview, an embed without counts, and an account that hides its counts.
 */
export const coreFields = z.registry<{ fields: readonly string[] }>();
