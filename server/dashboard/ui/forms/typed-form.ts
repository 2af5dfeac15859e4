import { html } from 'hono/html';
import type { Piece } from '../components.ts';
import { isMultipart, readForm } from './read-form.ts';

type Field = [name: string, value: string];

/** Content of a form that was not handled, for a page that shows the typed texts again. */
interface TypedForm {
  /** All text fields except secrets. */
  fields: Field[];
  /** The fields that the user filled in. */
  typed: Field[];
  /** Names of the parts that the user must enter again, such as "the file". */
  missing: string[];
  /** True when the form was sent in the format that can contain files. */
  multipart: boolean;
}

/** Matches the names of form fields with secrets, which are never written into a page. */
const secretField = /password|secret|token|code|answer/i;
/** Matches the names of form fields that the user did not type, such as ids and choices. */
const ownField = /^(?:for_workspace|once|back|act|scope|to|list|campaign|channel|condition)$|_id$|^id$/;

/** Reads the form in a request. Leaves out passwords, other secrets and files. */
export async function readTyped(request: Request): Promise<TypedForm> {
  const sent = [...(await readForm(request))];
  const fields = sent.flatMap(([name, value]): Field[] =>
    typeof value === 'string' && !secretField.test(name) ? [[name, value]] : [],
  );
  const hasFile = sent.some(([, value]) => typeof value !== 'string' && value.size > 0);
  const hasSecret = sent.some(([name]) => secretField.test(name));
  return {
    fields,
    typed: fields.filter(([name, value]) => value.trim() !== '' && !ownField.test(name)),
    missing: [...(hasFile ? ['the file'] : []), ...(hasSecret ? ['the password or code'] : [])],
    multipart: isMultipart(request),
  };
}

/** Returns a button that sends the form again, and below it what the user typed. */
export function sendAgainButton(action: string, { fields, typed, multipart }: TypedForm): Piece {
  const encoding = multipart ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  return html`<form method="post" action="${action}" enctype="${encoding}">${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button>Send again</button></form>
<h2>What you typed</h2><dl class="typed">${typed.map(typedField)}</dl>`;
}

const typedField = ([name, value]: Field): Piece =>
  html`<dt>${name.replaceAll('_', ' ')}</dt><dd><pre>${value}</pre></dd>`;
