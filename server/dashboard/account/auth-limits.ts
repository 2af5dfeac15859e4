/** The allowed length of a password, in characters. */
export const password_length = { min: 10, max: 128 };
