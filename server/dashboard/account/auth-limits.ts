/** Minimum and maximum number of characters of a password. */
export const passwordLength = { min: 10, max: 128 };
