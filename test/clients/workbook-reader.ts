import { crc32, inflateRawSync } from 'node:zlib';

/** Reads a ZIP archive through its central directory. Checks the length and checksum of each file. */
export function unzip(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf('PK\x05\x06');
  const files = new Map<string, Buffer>();
  let entry = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameLength = archive.readUInt16LE(entry + 28);
    const name = archive.toString('utf8', entry + 46, entry + 46 + nameLength);
    const local = archive.readUInt32LE(entry + 42);
    if (archive.readUInt32LE(local) !== 0x04034b50) throw new Error(`${name} is not where the directory says`);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const content = inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(entry + 20)));
    if (content.length !== archive.readUInt32LE(entry + 24) || crc32(content) !== archive.readUInt32LE(entry + 16))
      throw new Error(`${name} is damaged`);
    files.set(name, content);
    entry += 46 + nameLength + archive.readUInt16LE(entry + 30) + archive.readUInt16LE(entry + 32);
  }
  return files;
}

/** The visible content of an Excel workbook. `formula`: the M program of the query. `key`: the API key in cell B2. */
export interface ReadWorkbook {
  files: Map<string, Buffer>;
  key: string;
  formula: string;
  permissions: string;
  metadata: string;
}

/** Reads the Power Query data in a workbook, in the format of [MS-QDEFF]. @throws Error when a length is wrong. */
export function readWorkbook(bytes: Buffer): ReadWorkbook {
  const files = unzip(bytes);
  const text = (name: string) => files.get(name)?.toString('utf8') ?? '';
  const item = files.get('customXml/item1.xml')?.toString('utf16le') ?? '';
  const stream = Buffer.from(/<DataMashup [^>]+>([^<]+)<\/DataMashup>$/.exec(item)?.[1] ?? '', 'base64');
  const parts = partsOf(stream.subarray(4));
  if (stream.readUInt32LE(0) !== 0 || parts.length !== 4) throw new Error('The Power Query part is damaged');
  const [archive, permissions, metadata] = parts as [Buffer, Buffer, Buffer];
  const section = unzip(archive).get('Formulas/Section1.m')?.toString('utf8') ?? '';
  return {
    files,
    key: /<c r="B2"[^>]*><is><t>([^<]*)</.exec(text('xl/worksheets/sheet1.xml'))?.[1] ?? '',
    formula: /^section Section1;\r\n\r\nshared ProfileNumbers = ([\s\S]+);$/.exec(section)?.[1] ?? '',
    permissions: permissions.toString('utf8'),
    metadata: partsOf(metadata.subarray(4))[0]?.toString('utf8') ?? '',
  };
}

/** Splits bytes into parts. Each part is preceded by its length (32 bits). */
function partsOf(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const next = at + 4 + bytes.readUInt32LE(at);
    if (next > bytes.length) throw new Error('A part is longer than the rest of the file');
    parts.push(bytes.subarray(at + 4, next));
    at = next;
  }
  return parts;
}
