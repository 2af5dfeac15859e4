const contentTypes = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

export type AttachmentFormat = keyof typeof contentTypes;

/** Returns the headers of a download, which is saved as `name.format`. `name` must not have quotes or control characters. */
export function attachmentHeaders(name: string, format: AttachmentFormat) {
  return {
    'content-type': contentTypes[format],
    'content-disposition': `attachment; filename="${name}.${format}"`,
  };
}

/** Returns a download. It is never cached, and browsers do not display it as a page. */
export function attachmentResponse(name: string, format: AttachmentFormat, body: string | ReadableStream): Response {
  const headers = {
    ...attachmentHeaders(name, format),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  return new Response(body, { headers });
}
