/** Maximum size of a logo in bytes. Every page that shows the logo contains it as a data URL. */
export const maxLogoBytes = 64 * 1024;
/** Minimum contrast ratio of white text on the color of a report (WCAG level AA). */
export const minContrast = 4.5;

const starts: readonly (readonly [string, readonly number[]])[] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
];

/**
 * Returns the media type of a PNG, JPEG or WebP picture by its first bytes, because the file name can be wrong. Returns
 * null for any other file, including SVG.
 */
export function logoType(bytes: Uint8Array): string | null {
  const known = starts.find(([, start]) => start.every((byte, index) => bytes[index] === byte));
  if (known) return known[0];
  const ascii = (from: number) => Buffer.from(bytes.subarray(from, from + 4)).toString('latin1');
  return ascii(0) === 'RIFF' && ascii(8) === 'WEBP' ? 'image/webp' : null;
}

/** Returns the contrast ratio of a color `#rrggbb` with white, from 1 to 21 (WCAG 2.2). */
export function contrastWithWhite(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) =>
    linear(Number.parseInt(color.slice(from, from + 2), 16)),
  );
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
