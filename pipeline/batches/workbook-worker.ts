import { parentPort, workerData } from 'node:worker_threads';
import { unzipSync, zipSync } from 'fflate';
import { type CellValue, streamXlsxRows } from 'hucre/xlsx';

export interface WorkbookTask {
  bytes: Uint8Array;
  max_rows: number;
  max_unpacked_bytes: number;
  /**
   * Maximum number of cells plus their characters. The limit of the unpacked file is not enough, because many cells can
   * refer to one long text.
   */
  max_size: number;
}

export type WorkbookReply = { outcome: 'read'; rows: string[][] } | { outcome: 'too_large' | 'unreadable' };

class TooLarge extends Error {}

/**
 * Matches the names of the files inside an Excel workbook that are needed to read its cells. Does not match pictures,
 * charts, pivot tables, embedded files and links to other files.
 */
const neededPart = /^(?!xl\/(?:media|drawings|charts|pivotCache|externalLinks|embeddings)\/).*\.(?:xml|rels)$/i;

/**
 * Returns an Excel workbook without compression and without the files that are not needed to read its cells. Throws
 * when the unpacked files together are too large, because the library that reads the cells limits only the size of each
 * single file (2 GB).
 */
function unpacked({ bytes, max_unpacked_bytes: maxBytes }: WorkbookTask): Uint8Array {
  let total = 0;
  const parts = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!neededPart.test(name)) return false;
      total += originalSize;
      if (total > maxBytes) throw new TooLarge();
      return true;
    },
  });
  return zipSync(parts, { level: 0 });
}

function textOf(cell: CellValue): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().replace('T00:00:00.000Z', '');
  return String(cell).trim();
}

async function read(task: WorkbookTask): Promise<WorkbookReply> {
  try {
    const rows: string[][] = [];
    let size = 0;
    for await (const { index, values } of streamXlsxRows(unpacked(task), { sheet: 0, maxRows: task.max_rows + 1 })) {
      if (index >= task.max_rows) return { outcome: 'too_large' };
      while (rows.length < index) rows.push([]);
      const texts = values.map(textOf);
      const cells = texts.slice(0, texts.findLastIndex((text) => text !== '') + 1);
      size += cells.reduce((sum, cell) => sum + cell.length + 1, 0);
      if (size > task.max_size) return { outcome: 'too_large' };
      rows.push(cells);
    }
    return { outcome: 'read', rows };
  } catch (error) {
    return { outcome: error instanceof TooLarge ? 'too_large' : 'unreadable' };
  }
}

parentPort?.postMessage(await read(workerData as WorkbookTask));
