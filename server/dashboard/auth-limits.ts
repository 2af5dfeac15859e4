/** How long a password may be, in characters: long enough to be safe, short enough to be hashed. */
export const password_length = { min: 10, max: 128 };
