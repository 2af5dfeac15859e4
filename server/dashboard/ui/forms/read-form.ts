import { MIMEType } from 'node:util';
import { RequestError } from '../../../http/errors.ts';

/**
 * Maximum number of fields of a form. A body of 2 MB can have a million fields without a value. Reading them takes 20
 * seconds, in which Node answers no other request.
 */
const maxFields = 10_000;
/** Maximum number of fields of a multipart form, which take longer to read. */
const maxParts = 100;

/** The forms that were already read, because the body of a request can be read only once. */
const forms = new WeakMap<Request, Promise<FormData>>();

/**
 * Reads the fields of a form. Returns an empty form when the request has no body. Throws BODY_TOO_LARGE when it has too
 * many fields, and INVALID_INPUT when the body is not a form: read as an empty form, it could empty settings.
 */
export function readForm(request: Request): Promise<FormData> {
  const form = forms.get(request) ?? parseForm(request);
  forms.set(request, form);
  return form;
}

/** Returns true when a form is sent in the format that can contain files. */
export function isMultipart({ headers }: Request): boolean {
  return /^\s*multipart\//i.test(headers.get('content-type') ?? '');
}

/** Throws INVALID_INPUT when a form that has no file input is sent in the format that can contain files. */
export function refuseMultipart(request: Request): void {
  if (!isMultipart(request)) return;
  const message =
    'This form cannot contain a file: open its page and send it again, or send it as application/x-www-form-urlencoded.';
  throw new RequestError('INVALID_INPUT', { message });
}

async function parseForm(request: Request): Promise<FormData> {
  const body = Buffer.from(await request.arrayBuffer());
  if (body.length === 0) return new FormData();
  try {
    return await fieldsOf(request, body);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const message = 'This form could not be read, and nothing was changed: open its page and send it again.';
    throw new RequestError('INVALID_INPUT', { message });
  }
}

async function fieldsOf(request: Request, body: Buffer<ArrayBuffer>): Promise<FormData> {
  const type = new MIMEType(request.headers.get('content-type') ?? '');
  if (isMultipart(request)) {
    // The boundary also ends the last part.
    if (contains(body, `--${type.params.get('boundary')}`, maxParts + 2))
      throw tooManyFields(`A form with a file can have at most ${maxParts} fields`);
  } else if (contains(body, '&', maxFields)) throw tooManyFields(`A form can have at most ${maxFields} fields`);
  return new Response(body, { headers: { 'content-type': String(type) } }).formData();
}

/** Returns true when `text` occurs at least `times` times. */
function contains(body: Buffer, text: string, times: number): boolean {
  let found = 0;
  for (let at = body.indexOf(text); at >= 0; at = body.indexOf(text, at + text.length)) {
    found += 1;
    if (found === times) return true;
  }
  return false;
}

const tooManyFields = (limit: string) =>
  new RequestError('BODY_TOO_LARGE', { message: `${limit}: send fewer at once.` });
