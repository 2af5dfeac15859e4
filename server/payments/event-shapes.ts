import { z } from 'zod';

const id = z.string().regex(/^[\x21-\x7e]{1,255}$/);
/** Accepts the id of a Stripe object, or the object itself, because Stripe can send both. The result is the id. */
const reference = z.union([id, z.looseObject({ id }).transform((object) => object.id)]).nullish();
const word = z.string().regex(/^[a-z_.]{1,100}$/);
/** Amount of money in the smallest unit of the currency, such as cents. */
const amount = z.int().min(0).max(1e12);

/** An event from Stripe with a valid signature. The schema checks only the fields that are used. */
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

/** A charge, with the total of its refunds so far. */
export const chargeShape = z.looseObject({ payment_intent: reference, amount_refunded: amount });

export const refundShape = z.looseObject({ id, payment_intent: reference, amount, status: word.nullish() });

export const disputeShape = z.looseObject({ id, payment_intent: reference, amount, status: word });

/**
 * Thrown when an event cannot be read, or when the credits in an order differ from those of the pack. Stripe shows the
 * message to the operator.
 */
export class OrderError extends Error {
  override readonly name = 'OrderError';
}

/**
 * Returns the used fields of an event, or of the object in an event. Throws OrderError, which names the first missing
 * or wrong field.
 */
export function readEvent<T extends z.ZodType>(shape: T, value: unknown): z.infer<T> {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  const member = read.error.issues[0]?.path.join('.') || 'the event';
  throw new OrderError(`This event cannot be read: ${member} is missing or has a form that Stripe does not document.`);
}
