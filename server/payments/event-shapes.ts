import { z } from 'zod';

const id = z.string().regex(/^[\x21-\x7e]{1,255}$/);
/** Stripe sends an object as its id or, expanded, as the object. */
const reference = z.union([id, z.looseObject({ id }).transform((object) => object.id)]).nullish();
const word = z.string().regex(/^[a-z_.]{1,100}$/);
/** In the smallest unit of the currency. */
const amount = z.int().min(0).max(1e12);

/** A signed event. Only the members that are used are read. */
export const eventShape = z.looseObject({ id, type: word, data: z.looseObject({ object: z.unknown() }) });

export const sessionShape = z.looseObject({
  id,
  payment_status: z.string(),
  payment_intent: reference,
  amount_total: amount.nullish(),
  currency: z
    .string()
    .regex(/^[a-z]{3}$/)
    .nullish(),
  metadata: z.unknown(),
});

export const refundShape = z.looseObject({ payment_intent: reference, amount_refunded: amount });

export const disputeShape = z.looseObject({ id, payment_intent: reference, amount, status: word });

/** An event that contradicts the packs or cannot be read. Its message is for the operator, to whom Stripe shows it. */
export class OrderError extends Error {
  override readonly name = 'OrderError';
}

/** Returns the members of an event, or of its object. Throws OrderError naming the first member that is missing or wrong. */
export function readEvent<T extends z.ZodType>(shape: T, value: unknown): z.infer<T> {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  const member = read.error.issues[0]?.path.join('.') || 'the event';
  throw new OrderError(`This event cannot be read: ${member} is missing or has another form than Stripe documents.`);
}
