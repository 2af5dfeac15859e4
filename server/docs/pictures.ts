import { closeSync, openSync, readdirSync, readSync } from 'node:fs';

/** A picture of the documentation. */
export interface Picture {
  /** Path of the picture on this server. */
  address: string;
  /** Size of the picture on the page, in CSS pixels. */
  width: number;
  height: number;
  /**
   * The picture file. The server reads the file at each request and does not cache it, because pictures are seldom
   * requested.
   */
  file: URL;
}

/** Device pixels of a picture for each CSS pixel. `npm run pictures` takes all pictures at this scale. */
export const pictureScale = 2;

const folder = new URL('../../docs/pictures/', import.meta.url);

/** Number of bytes at the beginning of a picture file that contain its width and height. */
const headerBytes = 30;

/**
 * Returns the pictures of the documentation by the path that documents use, such as `pictures/sheet.webp`. No other
 * file is served.
 */
export function readPictures(): ReadonlyMap<string, Picture> {
  const names = readdirSync(folder).filter((name) => /^[\w-]+\.webp$/.test(name));
  return new Map(names.map((name) => [`pictures/${name}`, readPicture(name)]));
}

function readPicture(name: string): Picture {
  const file = new URL(name, folder);
  const { width, height } = webpSize(readHeader(file));
  return {
    address: `/docs/pictures/${name}`,
    width: Math.round(width / pictureScale),
    height: Math.round(height / pictureScale),
    file,
  };
}

function readHeader(file: URL): Buffer {
  const header = Buffer.alloc(headerBytes);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, header);
  } finally {
    closeSync(descriptor);
  }
  return header;
}

/**
 * Returns the size of a WebP picture in device pixels. Reads the extended format (RFC 9649, section 2.7), which
 * Chromium writes. Throws for any other format.
 */
function webpSize(bytes: Buffer): { width: number; height: number } {
  if (bytes.toString('latin1', 8, 16) !== 'WEBPVP8X')
    throw new Error(
      'A picture in docs/pictures is not in the extended WebP format: take it again with npm run pictures.',
    );
  return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
}
